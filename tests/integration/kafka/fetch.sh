#!/bin/sh
# Fetches the jars of Apache Kafka into target/lib beside this file; does nothing where they are already.
set -eu
cd "$(dirname "$0")"
mvn -q -B org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
  -DoutputDirectory=target/lib -DincludeScope=runtime
