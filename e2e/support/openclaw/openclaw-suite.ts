import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, inject } from "vitest";
import { z } from "zod";
import { type BridgeOptions, type BridgeProcess, startBridge } from "../bridge/bridge-process.ts";
import { lockBetweenProcesses } from "../machine/process-lock.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { type ModelRequest, readModelLog } from "../model/fake-model.ts";
import { BareClient } from "../wire/bare-client.ts";
import { type TurnOptions, type TurnParams, turn } from "../wire/turn.ts";
import { installPlugin, onboardGateway, reloadPlugin } from "./onboarded-gateway.ts";
import { createGateway, OpenClawGateway } from "./openclaw-gateway.ts";
import { builtPlugin } from "./openclaw-plugin.ts";

const CONNECT_BOUND_MS = 30_000;
/** Another file may have the onboarded gateway meanwhile. */
const LEASE_BOUND_MS = 600_000;
const ONBOARD_BOUND_MS = 240_000;
/** How long to wait for something a turn does: a busy gateway takes its time. */
export const TURN_BOUND_MS = 60_000;

/** The suite's gateway, as its set-up started it. */
export function suiteGateway(): OpenClawGateway {
	return new OpenClawGateway(inject("gateway"));
}

/**
 * For files that test what people have: a gateway which `openclaw onboard` made, with OpenClaw's defaults, the plugin
 * installed while it ran and replaced before each test. The file has it alone, since replacing waits for every run.
 * The model is offered `tool_search` and `tool_call` besides exec, process, read, write and edit.
 */
export function useOnboardedGateway(): OpenClawGateway {
	const gateway = new OpenClawGateway(inject("onboardedGateway"));
	const { folder } = gateway.place;
	const ready = join(folder, "ready");
	const lease = new AsyncDisposableStack();
	beforeAll(async () => {
		lease.use(await lockBetweenProcesses(join(folder, "lock"), LEASE_BOUND_MS));
		if (existsSync(ready)) return;
		await installPlugin(await onboardGateway(gateway.place, inject("modelUrl")));
		await writeFile(ready, "");
	}, LEASE_BOUND_MS + ONBOARD_BOUND_MS);
	beforeEach(() => reloadPlugin(gateway), ONBOARD_BOUND_MS);
	afterAll(() => lease.disposeAsync());
	return gateway;
}

/** Its own gateway in front of the suite's model, for what would disturb the others. */
export async function ownGateway(): Promise<OpenClawGateway> {
	return createGateway({ modelUrl: inject("modelUrl"), plugins: [builtPlugin] });
}

/** What the suite's scripted model was asked so far. */
export function modelRequests(): Promise<readonly ModelRequest[]> {
	return readModelLog(inject("modelLog"));
}

/** The requests to the model that carry these words anywhere, as JSON. */
export async function requestsAbout(words: string): Promise<readonly string[]> {
	const bodies = (await modelRequests()).map(({ body }) => JSON.stringify(body ?? ""));
	return bodies.filter((body) => body.includes(words));
}

/** Settings of a bridge that uses the gateway, all tool calls allowed. `via`: a port of 127.0.0.1 in front of it. */
export function gatewaySettings(gateway: OpenClawGateway, via?: number): Record<string, string> {
	return {
		XWORKMATE_OPENCLAW_URL: via === undefined ? gateway.url : `ws://127.0.0.1:${via}`,
		XWORKMATE_OPENCLAW_TOKEN: gateway.place.token,
		XWORKMATE_OPENCLAW_MAX_ACTIVE: "8",
		XWORKMATE_MAX_ACTIVE_RUNS: "12",
		XWORKMATE_ALLOW_PROVIDERS: "openclaw",
	};
}

const Offered = z.object({ providers: z.array(z.looseObject({ providerId: z.string(), available: z.boolean() })) });

/** A bridge in its own home in front of the suite's gateway, or of the one that `env` names, connected. */
export async function startGatewayBridge({ env, ...options }: BridgeOptions = {}): Promise<BridgeProcess> {
	const bridge = await startBridge({ ...options, env: { ...gatewaySettings(suiteGateway()), ...env } });
	await waitUntil("the gateway behind the bridge", CONNECT_BOUND_MS, async () => {
		const { providers } = Offered.parse(await bridge.client().rpc("acp.capabilities"));
		return providers.some(({ providerId, available }) => providerId === "openclaw" && available) ? true : undefined;
	});
	return bridge;
}

/** A client of one bridge for all tests of a file, in front of the suite's gateway or of the one that `env` names. */
export function useGatewayBridge(env: Record<string, string> = {}): BareClient {
	let bridge: BridgeProcess | undefined;
	beforeAll(async () => {
		bridge = await startGatewayBridge({ env });
	});
	afterAll(() => bridge?.[Symbol.asyncDispose]());
	// Its address is known once it has started.
	return new BareClient({
		get url() {
			return bridge?.url ?? "";
		},
		get token() {
			return bridge?.token ?? "";
		},
	});
}

/** A turn for the gateway. */
export function gatewayTurn(prompt: string, more: Partial<TurnOptions> = {}): TurnParams {
	return turn({ executionTarget: "gateway", providerId: "openclaw", ...more, prompt });
}

const History = z.looseObject({ messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })) });
const Sessions = z.looseObject({ sessions: z.array(z.looseObject({ key: z.string() })) });

export interface GatewaySession {
	readonly key: string;
	/** The user's messages, as JSON. */
	readonly said: readonly string[];
}

/** The gateway's sessions in which a message of the user contains these words. */
export async function sessionsWith(words: string): Promise<readonly GatewaySession[]> {
	using operator = await suiteGateway().connect();
	const { sessions } = Sessions.parse(await operator.request("sessions.list", {}));
	const found: GatewaySession[] = [];
	for (const { key } of sessions) {
		const { messages } = History.parse(await operator.request("chat.history", { sessionKey: key }));
		const said = messages.filter(({ role }) => role === "user").map(({ content }) => JSON.stringify(content));
		if (said.some((text) => text.includes(words))) found.push({ key, said });
	}
	return found;
}
