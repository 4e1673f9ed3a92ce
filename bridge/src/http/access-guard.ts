import { createHash, timingSafeEqual } from "node:crypto";
import { ContractError } from "@xworkmate/contracts";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AuthFailures } from "./auth-failures.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		/** Served without a token; Host and Origin are checked all the same. */
		isPublic?: true;
	}
}

export interface AccessGuardOptions {
	readonly token: string;
	/** Host names besides those of loopback, lower case, without a port. */
	readonly allowedHosts: readonly string[];
	readonly allowedOrigins: readonly string[];
	readonly now: () => number;
}

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const HOST_FORM = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/;
const TOKEN_KEYS = new Set(["token", "access_token", "api_key", "apikey", "auth", "authorization", "bearer", "key"]);

/** Lets nobody in who is not meant to be, before a body is read (CONTRACT, Access). */
export function guardAccess(app: FastifyInstance, options: AccessGuardOptions): void {
	const hosts = new Set([...LOOPBACK_HOSTS, ...options.allowedHosts]);
	const origins = new Set(options.allowedOrigins);
	const expected = digest(options.token);
	const failures = new AuthFailures(options.now);

	app.addHook("onRequest", async (request) => {
		const { host, origin } = request.raw.headers;
		if (!hosts.has(hostName(host))) throw new ContractError("FORBIDDEN_HOST");
		if (origin !== undefined && !origins.has(origin)) throw new ContractError("FORBIDDEN_ORIGIN");
		refuseTokenInUrl(request, expected);
		if (request.routeOptions.config.isPublic !== true) authenticate(request, expected, failures);
	});
}

function hostName(header: string | undefined): string {
	return HOST_FORM.exec((header ?? "").toLowerCase())?.[1] ?? "";
}

/** URLs end up in histories, logs and proxies, so one with a token is refused whether or not it is right. */
function refuseTokenInUrl(request: FastifyRequest, expected: Buffer): void {
	const at = request.raw.url?.indexOf("?") ?? -1;
	if (at < 0) return;
	for (const [key, value] of new URLSearchParams(request.raw.url?.slice(at + 1))) {
		if (!TOKEN_KEYS.has(key.toLowerCase()) && !timingSafeEqual(digest(value), expected)) continue;
		throw new ContractError("UNAUTHENTICATED", { detail: "a token in a URL is refused" });
	}
}

function authenticate(request: FastifyRequest, expected: Buffer, failures: AuthFailures): void {
	const [, presented] = /^bearer +(\S+) *$/i.exec(request.raw.headers.authorization ?? "") ?? [];
	const hasToken = presented !== undefined;
	if (failures.isBlocked(request.ip, hasToken)) throw new ContractError("RATE_LIMITED");
	if (hasToken && timingSafeEqual(digest(presented), expected)) return;
	failures.count(request.ip, hasToken);
	throw new ContractError("UNAUTHENTICATED");
}

// Digests have one length, which timingSafeEqual needs, and hide the token's.
function digest(text: string): Buffer {
	return createHash("sha256").update(text).digest();
}
