import type { ServerResponse } from "node:http";
import type { FastifyReply } from "fastify";

const IDLE_MS = 120_000;

/** Takes the response over from Fastify, and sets its head, which Node sends with the first bytes of the body or at its end. */
export function hijackReply(reply: FastifyReply): ServerResponse {
	reply.hijack();
	const { raw } = reply;
	for (const [name, value] of Object.entries(reply.getHeaders())) {
		if (value !== undefined) raw.setHeader(name, value);
	}
	raw.writeHead(reply.statusCode);
	return raw;
}

/** Ends a download if its reader accepts nothing for two minutes, because a download may hold a file open. */
export function boundIdle(raw: ServerResponse): void {
	const { socket } = raw;
	if (socket === null) return;
	const cut = () => raw.destroy();
	socket.setTimeout(IDLE_MS, cut);
	raw.once("close", () => {
		socket.off("timeout", cut);
		// If Node has set its own limit for the idle connection by now, that limit is kept.
		if (socket.timeout === IDLE_MS) socket.setTimeout(0);
	});
}
