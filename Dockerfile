# What the README does, in an image: `docker build -t harness .`, then `docker run harness` prints the matrix again.
# Documents need namespaces of their own: run those with `--security-opt seccomp=unconfined`, or give --unsandboxed.
FROM debian:12

RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates git python3 python3-venv \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /harness
COPY . .
RUN python3 bootstrap.py conform -- --require r,julia,torch
ENTRYPOINT ["python3", "bootstrap.py"]
CMD ["conform"]
