import type { FastifyInstance } from "fastify";
import { sendArtifact } from "./artifact-file.ts";
import type { ArtifactSource } from "./artifact-source.ts";
import { sendArtifactTar } from "./artifact-tar.ts";
import { ARTIFACTS_PREFIX, parseArtifactUrl } from "./artifact-url.ts";
import { VerifiedFiles } from "./verified-files.ts";

/** `GET` and `HEAD /artifacts/{runId}` and `/artifacts/{runId}/{relativePath}`. */
export function serveArtifacts(app: FastifyInstance, source: ArtifactSource): void {
	const verified = new VerifiedFiles();
	app.route({
		method: ["GET", "HEAD"],
		url: `${ARTIFACTS_PREFIX}*`,
		handler: async (request, reply) => {
			const { runId, relativePath } = parseArtifactUrl(request.raw.url ?? "");
			if (relativePath === undefined) await sendArtifactTar(request, reply, source, runId);
			else await sendArtifact(request, reply, { ...source, verified }, runId, relativePath);
		},
	});
}
