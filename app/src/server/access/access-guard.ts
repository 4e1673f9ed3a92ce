import { omitUndefined } from "@xworkmate/contracts";
import { parseCookie } from "cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { commandLine } from "../../text/command-line.ts";
import type { UiSessions } from "./ui-sessions.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		/** Served without a session: the page's own code, which contains no secret, and the address that creates a session. */
		readonly shell?: boolean;
		/** Served only to a command, never to a browser. */
		readonly commandOnly?: boolean;
	}
}

const NOT_OUR_PAGE = "The request was blocked because it does not come from the app's own page.";
const BEARER = /^Bearer (\S+)$/;

export interface GuardOptions {
	/** True for the command's token. */
	readonly isToken: (given: string) => boolean;
	readonly sessions?: UiSessions;
}

/** Cookies ignore ports, so each app on a machine uses its own cookie name. */
export function sessionCookie(request: FastifyRequest): string {
	return `xworkmate_${request.socket.localPort}`;
}

/**
 * Accepts a request if it addresses this machine by one of its own names, does not come from another page, and has either the token (the
 * command) or a session's cookie (a browser); a route with `shell`, and an address that does not exist, need neither. Browsers also send
 * the cookie with requests from pages on other ports of this host, so a request with a cookie has to come from the app's own page.
 */
export async function guard(options: GuardOptions, request: FastifyRequest, reply: FastifyReply): Promise<void> {
	const { host = "", origin } = request.headers;
	const hosts = allowedHosts(request);
	if (!hosts.includes(host)) {
		const fix = `Open the link that this command prints: ${commandLine("open")}`;
		return refuse(reply, 403, "FORBIDDEN_HOST", "XWorkmate can't be opened at this address.", fix);
	}
	// A browser's preflight request for another page also ends here: no response header allows that page to read or send anything.
	if (!isOurs(origin, hosts)) return refuse(reply, 403, "FORBIDDEN_ORIGIN", NOT_OUR_PAGE);
	const { config } = request.routeOptions;
	if (config.shell === true || request.is404) return;
	if (options.sessions === undefined || config.commandOnly === true || request.headers.authorization !== undefined) {
		if (hasToken(options, request)) return;
		return refuse(reply, 401, "UNAUTHENTICATED", "The app's token is missing or wrong.");
	}
	const session = parseCookie(request.headers.cookie ?? "")[sessionCookie(request)] ?? "";
	if (!options.sessions.allows(session)) {
		return refuse(reply, 401, "UNAUTHENTICATED", "You're signed out.", `Open a new link: ${commandLine("open")}`);
	}
	if (!comesFromOurPage(request, host)) return refuse(reply, 403, "FORBIDDEN_ORIGIN", NOT_OUR_PAGE);
}

function allowedHosts(request: FastifyRequest): readonly string[] {
	const port = request.socket.localPort;
	return [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`];
}

function isOurs(origin: string | undefined, hosts: readonly string[]): boolean {
	return origin === undefined || hosts.includes(origin.replace(/^http:\/\//, ""));
}

function hasToken({ isToken }: GuardOptions, request: FastifyRequest): boolean {
	const [, given = ""] = BEARER.exec(request.headers.authorization ?? "") ?? [];
	return isToken(given);
}

/**
 * A request that changes something has to prove its page's origin. A request that only reads may be a download or a frame, for which
 * browsers send only Sec-Fetch-Site.
 */
function comesFromOurPage(request: FastifyRequest, host: string): boolean {
	const { origin, "sec-fetch-site": site } = request.headers;
	if (origin !== undefined && origin !== `http://${host}`) return false;
	if (site !== undefined && site !== "same-origin" && site !== "none") return false;
	if (request.method === "GET") return true;
	return origin !== undefined || site === "same-origin";
}

async function refuse(reply: FastifyReply, status: number, code: string, message: string, fix?: string): Promise<void> {
	await reply.code(status).send({ error: { code, message, ...omitUndefined({ fix }) } });
}
