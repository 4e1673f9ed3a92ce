import { isIP } from "node:net";
import { z } from "zod";

/** An address to listen on. Port 0 means any free port. */
export interface ListenAddress {
	readonly host: string;
	readonly port: number;
}

const FORM = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9.-]+)):(\d{1,5})$/;

/** `host:port`, an IPv6 address in brackets. */
export const ListenAddress = z.string().transform((text, context): ListenAddress => {
	const [, ipv6, name, digits] = FORM.exec(text) ?? [];
	const host = ipv6 ?? name;
	const port = Number(digits);
	if (host !== undefined && port <= 65_535 && (ipv6 === undefined || isIP(ipv6) === 6)) return { host, port };
	context.addIssue({ code: "custom", message: "must be host:port, such as 127.0.0.1:8787 or [::1]:8787" });
	return z.NEVER;
});

/** True if only this machine can reach the address. A name other than localhost is assumed to be reachable from elsewhere. */
export function isLoopback(host: string): boolean {
	const lower = host.toLowerCase();
	return lower === "localhost" || lower === "::1" || (isIP(lower) === 4 && lower.startsWith("127."));
}

/** Formats an address in the way that settings write it. */
export function addressText({ host, port }: ListenAddress): string {
	return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The origin under which this machine reaches a server that listens on `host`. */
export function originOf(host: string, port: number, isTls: boolean): string {
	const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
	return `${isTls ? "https" : "http"}://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]", "::1"]);

/** An address that only this computer can reach, under a name that browsers accept as a trustworthy origin. */
export const LoopbackAddress = z.string().transform((text, context): ListenAddress => {
	const [, host = "", port = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
	const problem = !LOOPBACK.has(host)
		? "must be 127.0.0.1, [::1] or localhost with a port, such as 127.0.0.1:8788"
		: Number(port) > 65_535
			? "must have a port of at most 65535"
			: undefined;
	if (problem === undefined) return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
	context.addIssue({ code: "custom", message: problem });
	return z.NEVER;
});
