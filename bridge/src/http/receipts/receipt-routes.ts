import { Readable } from "node:stream";
import { ContractError, PlanId, RunId } from "@xworkmate/contracts";
import type { FastifyInstance } from "fastify";
import type { ReceiptExport } from "../../ports/tools/receipt-service.ts";
import { boundIdle } from "../reply/hijack-reply.ts";

interface ExportRoute {
	Querystring: { runId?: unknown; planId?: unknown };
}

interface ActivityRoute {
	Params: { runId: string };
}

/** `GET` and `HEAD /receipts/export?runId=&planId=` and `/runs/{runId}/activity`. */
export function serveReceipts(app: FastifyInstance, files: ReceiptExport): void {
	app.route<ExportRoute>({
		method: ["GET", "HEAD"],
		url: "/receipts/export",
		handler: async (request, reply) => {
			const { runId, planId } = request.query;
			const lines = await files.lines({
				runId: runId === undefined ? undefined : runIdOf(runId),
				planId: planId === undefined ? undefined : planIdOf(planId),
			});
			reply.type("application/x-ndjson; charset=utf-8").header("content-disposition", 'attachment; filename="receipts.ndjson"');
			if (request.method === "HEAD") return reply.send("");
			boundIdle(reply.raw);
			return reply.send(Readable.from(endedLines(lines)));
		},
	});
	app.route<ActivityRoute>({
		method: ["GET", "HEAD"],
		url: "/runs/:runId/activity",
		handler: async (request, reply) => {
			const text = await files.activity(runIdOf(request.params.runId));
			return reply.type("application/json; charset=utf-8").send(text);
		},
	});
}

function runIdOf(given: unknown): RunId {
	const runId = RunId.safeParse(given);
	if (!runId.success) throw new ContractError("NOT_FOUND");
	return runId.data;
}

function planIdOf(given: unknown): PlanId {
	const planId = PlanId.safeParse(given);
	if (!planId.success) throw new ContractError("NOT_FOUND");
	return planId.data;
}

/** Joins lines into larger pieces, because each line alone would be a separate write. */
async function* endedLines(lines: AsyncIterable<string>): AsyncGenerator<string> {
	let piece = "";
	for await (const line of lines) {
		piece += `${line}\n`;
		if (piece.length < PIECE_CHARACTERS) continue;
		yield piece;
		piece = "";
	}
	if (piece !== "") yield piece;
}

const PIECE_CHARACTERS = 32 * 1024;
