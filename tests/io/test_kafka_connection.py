"""How Kafka is reached comes from the environment."""

import warnings

import pytest

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of kafka-python's way to read its schemas, at import
    from pipelines.io.kafka_connection import KafkaSettings

from pipelines.errors import UsageError


def test_the_settings_of_a_managed_kafka() -> None:
    """TLS and SASL reach the client under its own names, and the secret is not shown."""
    settings = KafkaSettings.from_environment(
        {
            "KAFKA_BOOTSTRAP_SERVERS": "b1:9092,b2:9092",
            "KAFKA_SECURITY_PROTOCOL": "SASL_SSL",
            "KAFKA_SASL_MECHANISM": "SCRAM-SHA-512",
            "KAFKA_SASL_USERNAME": "night",
            "KAFKA_SASL_PASSWORD": "very secret",
            "KAFKA_SSL_CAFILE": "/etc/ca.pem",
        }
    )

    client = settings.client()
    assert client["bootstrap_servers"] == ["b1:9092", "b2:9092"]
    assert (client["security_protocol"], client["sasl_mechanism"]) == ("SASL_SSL", "SCRAM-SHA-512")
    assert (client["sasl_plain_username"], client["sasl_plain_password"]) == ("night", "very secret")
    assert client["ssl_cafile"] == "/etc/ca.pem"
    assert "very secret" not in repr(settings)


def test_without_settings_it_is_the_loopback_interface() -> None:
    """The default is local and plain; an unknown protocol is refused."""
    assert KafkaSettings.from_environment({}).client()["bootstrap_servers"] == ["127.0.0.1:9092"]
    with pytest.raises(UsageError, match="KAFKA_SECURITY_PROTOCOL"):
        KafkaSettings.from_environment({"KAFKA_SECURITY_PROTOCOL": "TLS"})
