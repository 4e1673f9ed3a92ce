import { ContractError } from "@xworkmate/contracts";
import { matchesSecret } from "@xworkmate/platform/files";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { AuthFailures } from "./auth-failures.ts";
import { answerPreflight, isPreflight, openTo } from "./cross-origin.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		/** True if requests are served without a token. Host and Origin are still checked. */
		isPublic?: true;
	}
}

export interface AccessGuardOptions {
	readonly token: string;
	/** Host names other than the loopback ones, in lower case, without a port. */
	readonly allowedHosts: readonly string[];
	readonly allowedOrigins: readonly string[];
	readonly now: () => number;
}

const LOOPBACK_HOSTS = ["localhost", "127.0.0.1", "[::1]"];
const HOST_FORM = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d{1,5})?$/;
const TOKEN_KEYS = new Set(["token", "access_token", "api_key", "apikey", "auth", "authorization", "bearer", "key"]);

/** Rejects requests that are not authorized, before their body is read (docs/protocol.md#access). */
export function guardAccess(app: FastifyInstance, options: AccessGuardOptions): void {
	const hosts = new Set([...LOOPBACK_HOSTS, ...options.allowedHosts]);
	const origins = new Set(options.allowedOrigins);
	const isToken = matchesSecret(options.token);
	const failures = new AuthFailures(options.now);

	app.addHook("onRequest", (request, reply, done) => {
		const foreign = foreignRefusal(request);
		if (foreign !== undefined) return done(foreign);
		const { origin } = request.raw.headers;
		if (origin !== undefined) openTo(origin, reply);
		if (isPreflight(request.raw)) answerPreflight(reply);
		else done(refusal(request));
	});

	function foreignRefusal({ raw }: FastifyRequest): ContractError | undefined {
		const { host, origin } = raw.headers;
		if (!hosts.has(hostName(host))) return new ContractError("FORBIDDEN_HOST");
		if (origin !== undefined && !origins.has(origin)) return new ContractError("FORBIDDEN_ORIGIN");
		return undefined;
	}

	function refusal(request: FastifyRequest): ContractError | undefined {
		if (hasTokenInUrl(request, isToken)) return new ContractError("UNAUTHENTICATED", { detail: "A token in a URL is not accepted." });
		return request.routeOptions.config.isPublic === true ? undefined : authenticate(request, isToken, failures);
	}
}

function hostName(header: string | undefined): string {
	return HOST_FORM.exec((header ?? "").toLowerCase())?.[1] ?? "";
}

/** URLs end up in histories, logs and proxies, so one with a token is refused, whether or not the token is right. */
function hasTokenInUrl(request: FastifyRequest, isToken: (given: string) => boolean): boolean {
	const at = request.raw.url?.indexOf("?") ?? -1;
	if (at < 0) return false;
	const query = new URLSearchParams(request.raw.url?.slice(at + 1));
	return query.entries().some(([key, value]) => TOKEN_KEYS.has(key.toLowerCase()) || isToken(value));
}

function authenticate(request: FastifyRequest, isToken: (given: string) => boolean, failures: AuthFailures): ContractError | undefined {
	const [, presented] = /^bearer +(\S+) *$/i.exec(request.raw.headers.authorization ?? "") ?? [];
	if (presented !== undefined && isToken(presented)) return undefined;
	return new ContractError(failures.count(request.ip) ? "UNAUTHENTICATED" : "RATE_LIMITED");
}
