import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Endpoint } from "@xworkmate/contracts";
import { AppError } from "../app-error.ts";
import { blockedPorts } from "./blocked-ports.ts";

/** Where the bridge is and the token that goes to it, and to nothing else. */
export interface BridgeEndpoint {
	/** Origin, without a path. */
	readonly url: URL;
	readonly token: string;
}

export interface EndpointSettings {
	readonly home: string;
	/** XWORKMATE_BRIDGE_URL: a bridge elsewhere. */
	readonly bridgeUrl?: string;
	/** XWORKMATE_TOKEN. */
	readonly token?: string;
}

/**
 * Finds the bridge anew at every call: one that was restarted may listen elsewhere.
 * @throws AppError BRIDGE_NOT_RUNNING, BRIDGE_URL_REFUSED, BRIDGE_TOKEN_MISSING
 */
export async function findBridge(settings: EndpointSettings): Promise<BridgeEndpoint> {
	const own = await ownEndpoint(settings.home);
	if (settings.bridgeUrl === undefined) {
		if (own === undefined) {
			throw new AppError("BRIDGE_NOT_RUNNING", `no bridge has written ${endpointPath(settings.home)}`, "Start it with: xworkmate start");
		}
		return { url: own, token: settings.token ?? (await ownToken(settings.home)) };
	}
	const url = checkedUrl(settings.bridgeUrl);
	if (settings.token !== undefined) return { url, token: settings.token };
	// The home's token belongs to the home's bridge: it goes to no other address.
	if (own?.origin === url.origin) return { url, token: await ownToken(settings.home) };
	throw new AppError("BRIDGE_TOKEN_MISSING", `there is no token for ${url.origin}`, "Set XWORKMATE_TOKEN to the token of that bridge.");
}

function endpointPath(home: string): string {
	return join(home, "bridge", "endpoint.json");
}

async function ownEndpoint(home: string): Promise<URL | undefined> {
	const text = await readIfThere(endpointPath(home));
	if (text === undefined) return undefined;
	const parsed = Endpoint.safeParse(parseJson(text));
	if (parsed.success) return checkedUrl(parsed.data.url);
	throw new AppError("BRIDGE_NOT_RUNNING", `${endpointPath(home)} cannot be read`, "Start the bridge again: xworkmate start", parsed.error);
}

async function ownToken(home: string): Promise<string> {
	const path = join(home, "bridge", "token");
	const token = (await readIfThere(path))?.trim();
	if (token !== undefined && token !== "") return token;
	throw new AppError("BRIDGE_TOKEN_MISSING", `${path} holds no token`, "Start the bridge, which writes it, or set XWORKMATE_TOKEN.");
}

function checkedUrl(text: string): URL {
	const url = URL.parse(text);
	const refuse = (why: string) =>
		new AppError("BRIDGE_URL_REFUSED", `the bridge's address ${why}`, "Use http://127.0.0.1:<port> or https://<host>.");
	if (url === null) throw refuse("is no URL");
	if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "") throw refuse("holds more than an origin");
	if (url.pathname !== "/") throw refuse("holds a path");
	if (blockedPorts.has(Number(url.port)))
		throw refuse(`has port ${url.port}, which belongs to another protocol and is never called over HTTP`);
	if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname))) throw refuse("is neither https nor loopback");
	return url;
}

function isLoopback(hostname: string): boolean {
	return hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

async function readIfThere(path: string): Promise<string | undefined> {
	try {
		return await readFile(path, "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
		throw error;
	}
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// Not JSON is not an endpoint: the schema says so.
		return undefined;
	}
}
