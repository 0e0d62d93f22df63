#!/bin/sh
# Fetches the jars of Apache Kafka into target/lib beside this file; does nothing where they are already.
set -eu
cd "$(dirname "$0")"
# Maven's -q still writes the codes that reset a colour: what it says is shown where it fails
said=$(mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
  -DoutputDirectory=target/lib -DincludeScope=runtime 2>&1) || { printf '%s\n' "$said" >&2; exit 1; }
echo "Apache Kafka for the tests: $(ls target/lib | wc -l | tr -d ' ') jars in tests/integration/kafka/target/lib"
