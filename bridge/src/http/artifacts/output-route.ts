import { Readable } from "node:stream";
import { ContractError, RunId } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";
import type { RunResults } from "../../ports/runs/run-results.ts";
import { boundIdle } from "../reply/hijack-reply.ts";

interface OutputRoute {
	Params: { runId: string };
}

/** `GET` and `HEAD /runs/{runId}/output`: the whole text of the last message that is not blank; empty if there is none. */
export function serveOutput(app: FastifyInstance, results: RunResults): void {
	app.route<OutputRoute>({
		method: ["GET", "HEAD"],
		url: "/runs/:runId/output",
		handler: async (request, reply) => {
			const runId = RunId.safeParse(request.params.runId);
			if (!runId.success) throw new ContractError("NOT_FOUND");
			const answer = await results.answer(runId.data);
			reply.type("text/plain; charset=utf-8").header("content-length", answer?.totalBytes ?? 0);
			if (answer === undefined || request.method === "HEAD") return reply.send("");
			boundIdle(reply.raw);
			return reply.send(Readable.from(answer.pieces()));
		},
	});
}
