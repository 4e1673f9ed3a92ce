import { ActionId, ContractError, OccurrenceId, safeMediaType } from "@xworkmate/contracts";
import { create as disposition } from "content-disposition";
import type { FastifyInstance, FastifyReply } from "fastify";
import type { PlanFiles } from "../../ports/plans/plan-service.ts";

interface IdRoute {
	Params: { id: string };
}

/** `GET` and `HEAD /occurrences/{occurrenceId}/deliverable` and `/actions/{actionId}/payload`: the message, and the bytes to be sent. */
export function serveMessages(app: FastifyInstance, messages: PlanFiles): void {
	app.route<IdRoute>({
		method: ["GET", "HEAD"],
		url: "/occurrences/:id/deliverable",
		handler: async (request, reply) => {
			const id = OccurrenceId.safeParse(request.params.id);
			if (!id.success) throw new ContractError("NOT_FOUND");
			const { text, sha256 } = await messages.deliverable(id.data);
			describe(reply, "text/plain; charset=utf-8", `${id.data}.txt`, sha256);
			return reply.send(Buffer.from(text));
		},
	});
	app.route<IdRoute>({
		method: ["GET", "HEAD"],
		url: "/actions/:id/payload",
		handler: async (request, reply) => {
			const id = ActionId.safeParse(request.params.id);
			if (!id.success) throw new ContractError("NOT_FOUND");
			const { bytes, mediaType, sha256 } = await messages.payload(id.data);
			describe(reply, safeMediaType(mediaType), id.data, sha256);
			return reply.send(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
		},
	});
}

/** Sets headers that make a browser save the content and run none of it, because an agent wrote it. */
function describe(reply: FastifyReply, mediaType: string, name: string, sha256: string): void {
	reply.headers({
		"content-type": mediaType,
		"content-disposition": disposition(name),
		"content-security-policy": "sandbox; default-src 'none'",
		"cache-control": "private, no-cache",
		etag: `"${sha256}"`,
	});
}
