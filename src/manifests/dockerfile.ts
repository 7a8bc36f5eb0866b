/** One image for all operators of a project: what to run is told by each Deployment. */
export const DOCKERFILE_STEPS = `FROM node:24-slim AS build
WORKDIR /operator
COPY . .
RUN npm ci && npm prune --omit=dev

FROM node:24-slim
ENV NODE_ENV=production PATH=/operator/node_modules/.bin:$PATH
WORKDIR /operator
COPY --from=build /operator .
USER 65532:65532
ENTRYPOINT ["run-operator"]
`;

/** The same among what is generated. */
export const DOCKERFILE = `# Written by generate-manifests; edits are lost.
# docker build --file crds-out/Dockerfile --tag controller:latest .
${DOCKERFILE_STEPS}`;
