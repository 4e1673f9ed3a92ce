import { stringifySetCookie } from "cookie";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { commandLine } from "../../text/command-line.ts";
import { sessionCookie } from "./access-guard.ts";
import { SESSION_MS, type UiSessions } from "./ui-sessions.ts";

const Params = z.object({ key: z.string().max(100) });

/**
 * `GET /open/<key>`: exchanges a one-time key for the session's cookie and redirects to the page, whose address contains no secret.
 */
export function addOpenRoute(server: FastifyInstance, sessions: UiSessions): void {
	server.get("/open/:key", { config: { shell: true } }, (request, reply) => {
		reply.header("cache-control", "no-store");
		// A browser's prefetch is not a request from the user, and would use up the key.
		if (isLookAhead(request)) return reply.code(503).send();
		const session = sessions.redeem(Params.parse(request.params).key);
		if (session === undefined) return sendUsed(reply);
		const cookie = { name: sessionCookie(request), value: session, maxAge: SESSION_MS / 1000 };
		reply.header("set-cookie", stringifySetCookie({ ...cookie, path: "/", httpOnly: true, sameSite: "strict" }));
		return reply.redirect("/", 303);
	});
}

function isLookAhead(request: FastifyRequest): boolean {
	const purpose = request.headers["sec-purpose"] ?? request.headers.purpose ?? "";
	return purpose.includes("prefetch") || purpose.includes("prerender");
}

/** Plain text without the page, shown when the user opens an old link. */
function sendUsed(reply: FastifyReply): FastifyReply {
	const words = `This link has expired or was already used. Get a new one in the terminal: ${commandLine("open")}\n`;
	return reply.code(410).type("text/plain; charset=utf-8").send(words);
}
