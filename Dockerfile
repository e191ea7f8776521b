# An image with warpspan and nothing else: docker build -t warpspan . && docker run -v "$PWD:/work" warpspan check ...
FROM debian:bookworm AS build
COPY . /source
RUN cd /source && scripts/setup && cmake --preset package && cmake --build --preset package && cpack --preset package

FROM debian:bookworm-slim
COPY --from=build /source/build/packages/*.deb /tmp/
RUN dpkg -i /tmp/*.deb && rm /tmp/*.deb
WORKDIR /work
ENTRYPOINT ["warpspan"]
