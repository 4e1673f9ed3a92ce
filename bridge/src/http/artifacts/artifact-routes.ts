import type { FastifyInstance } from "fastify";
import type { RunResults } from "../../ports/runs/run-results.ts";
import { sendArtifact } from "./artifact-file.ts";
import { sendArtifactTar } from "./artifact-tar.ts";
import { ARTIFACTS_PREFIX, parseArtifactUrl } from "./artifact-url.ts";

/** `GET` and `HEAD /artifacts/{runId}` and `/artifacts/{runId}/{relativePath}`. */
export function serveArtifacts(app: FastifyInstance, results: RunResults): void {
	app.route({
		method: ["GET", "HEAD"],
		url: `${ARTIFACTS_PREFIX}*`,
		handler: async (request, reply) => {
			const { runId, relativePath } = parseArtifactUrl(request.raw.url ?? "");
			if (relativePath === undefined) await sendArtifactTar(request, reply, results, runId);
			else await sendArtifact(request, reply, results, runId, relativePath);
		},
	});
}
