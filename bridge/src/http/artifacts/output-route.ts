import { Readable } from "node:stream";
import { ContractError, RunId } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";
import type { RunService } from "../../ports/run-service.ts";
import { boundIdle } from "../reply/hijack-reply.ts";
import { terminalRun } from "./artifact-source.ts";
import { findAnswer, readAnswer } from "./run-answer.ts";

interface OutputRoute {
	Params: { runId: string };
}

/** `GET /runs/{runId}/output`: the whole text of the last message that is not blank; empty when there is none. */
export function serveOutput(app: FastifyInstance, runs: RunService): void {
	app.route<OutputRoute>({
		method: ["GET", "HEAD"],
		url: "/runs/:runId/output",
		handler: async (request, reply) => {
			const runId = RunId.safeParse(request.params.runId);
			if (!runId.success) throw new ContractError("NOT_FOUND");
			await terminalRun(runs, runId.data);
			const place = await findAnswer(runs.log, runId.data);
			reply.type("text/plain; charset=utf-8").header("content-length", place?.totalBytes ?? 0);
			if (place === undefined || request.method === "HEAD") return reply.send("");
			boundIdle(reply.raw);
			return reply.send(Readable.from(readAnswer(runs.log, runId.data, place)));
		},
	});
}
