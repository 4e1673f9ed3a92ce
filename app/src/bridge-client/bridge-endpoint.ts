import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Endpoint } from "@xworkmate/contracts";
import { ifAbsent } from "@xworkmate/platform/errors";
import { AppError } from "../errors/app-error.ts";
import { commandLine } from "../text/command-line.ts";

/** The bridge's address, and the token, which is sent only to that address. */
export interface BridgeEndpoint {
	/** An origin, without a path. */
	readonly url: URL;
	readonly token: string;
}

export interface EndpointSettings {
	readonly home: string;
	/** XWORKMATE_BRIDGE_URL: the bridge to use, usually one on another machine. */
	readonly bridgeUrl?: string;
	/** XWORKMATE_TOKEN. */
	readonly token?: string;
}

/**
 * Looks up the bridge's address for every call, because a restarted bridge may listen elsewhere.
 * @throws AppError BRIDGE_NOT_RUNNING, BRIDGE_URL_REFUSED, BRIDGE_TOKEN_MISSING
 */
export async function findBridge(settings: EndpointSettings): Promise<BridgeEndpoint> {
	const own = await ownEndpoint(settings.home);
	if (settings.bridgeUrl === undefined) {
		if (own === undefined) {
			throw new AppError("BRIDGE_NOT_RUNNING", `No bridge is running for the data folder ${settings.home}.`, NOT_RUNNING_FIX);
		}
		return { url: own, token: settings.token ?? (await ownToken(settings.home)) };
	}
	const url = checkedUrl(settings.bridgeUrl, GIVEN);
	if (settings.token !== undefined) return { url, token: settings.token };
	// The home's token belongs to the home's bridge and is not sent to any other address.
	if (own?.origin === url.origin) return { url, token: await ownToken(settings.home) };
	throw new AppError(
		"BRIDGE_TOKEN_MISSING",
		`There is no token for the bridge at ${url.origin}.`,
		"Set XWORKMATE_TOKEN to the token of that bridge.",
	);
}

/** A running app restarts its bridge, so waiting may be enough. */
const NOT_RUNNING_FIX = `If XWorkmate is running, wait a few seconds while it restarts the bridge. Otherwise start it with \`${commandLine("start")}\`.`;

function endpointPath(home: string): string {
	return join(home, "bridge", "endpoint.json");
}

async function ownEndpoint(home: string): Promise<URL | undefined> {
	const text = await readFile(endpointPath(home), "utf8").catch(ifAbsent);
	if (text === undefined) return undefined;
	const parsed = Endpoint.safeParse(parseJson(text));
	if (parsed.success) return checkedUrl(parsed.data.url, ownOf(parsed.data.url));
	throw new AppError("BRIDGE_NOT_RUNNING", `${endpointPath(home)} can't be read.`, NOT_RUNNING_FIX, parsed.error);
}

async function ownToken(home: string): Promise<string> {
	const path = join(home, "bridge", "token");
	const token = (await readFile(path, "utf8").catch(ifAbsent))?.trim();
	if (token !== undefined && token !== "") return token;
	throw new AppError(
		"BRIDGE_TOKEN_MISSING",
		`${path} contains no token.`,
		"If the bridge was started with XWORKMATE_TOKEN, set the same token here. Otherwise delete the file, if it exists, and restart the bridge, which creates a token.",
	);
}

/** Where an address comes from, in words for the error if the address is refused: its name, and how to fix it. */
interface Place {
	readonly name: string;
	readonly fix: string;
}

const GIVEN: Place = {
	name: "The bridge's address (the setting bridgeUrl, XWORKMATE_BRIDGE_URL)",
	fix: "Use http://127.0.0.1:<port> or https://<host>.",
};

/**
 * The words for the address of the home's own bridge. Even that address may be refused: a bridge behind a proxy that terminates TLS may use
 * plain HTTP on an address that other computers can reach.
 */
function ownOf(url: string): Place {
	return {
		name: `The address of this data folder's bridge, ${url},`,
		fix: "Set bridgeListen (XWORKMATE_BRIDGE_LISTEN) to a loopback address, such as 127.0.0.1:8787, and restart the bridge.",
	};
}

/** @throws AppError BRIDGE_URL_REFUSED */
function checkedUrl(text: string, { name, fix }: Place): URL {
	const url = URL.parse(text);
	const refuse = (why: string) => new AppError("BRIDGE_URL_REFUSED", `${name} ${why}.`, fix);
	if (url === null) throw refuse("is not a URL");
	if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
		throw refuse("contains more than a scheme, host and port");
	if (url.pathname !== "/") throw refuse("contains a path");
	if (url.protocol !== "https:" && !(url.protocol === "http:" && isLoopback(url.hostname)))
		throw refuse("is neither https nor a loopback address");
	return url;
}

function isLoopback(hostname: string): boolean {
	return hostname === "localhost" || hostname === "[::1]" || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname);
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		// The schema rejects content that is not JSON.
		return undefined;
	}
}
