import { ArtifactScope, openArtifactContract, RunId, SessionId, ThreadId, TurnId } from "@xworkmate/contracts";
import type { ProviderTurn, TurnSink } from "../../../src/ports/agents/provider.ts";
import type { ProviderUpdate } from "../../../src/ports/runs/run-event.ts";
import { defaultGatewayBounds, type GatewayBounds } from "../../../src/providers/openclaw/gateway/gateway-bounds.ts";
import { OpenClawProvider } from "../../../src/providers/openclaw/openclaw-provider.ts";
import { ArtifactSource } from "../../../src/providers/openclaw/transfer/artifact-source.ts";
import { newSessionKey } from "../../../src/providers/openclaw/turn/session-key.ts";
import { GatewayDouble } from "./gateway-double.ts";
import { PluginDouble } from "./plugin-double.ts";

/** As OpenClaw 2026.9.6 answers while it replaces the plugin, and for a method that it does not have. */
export const reloaded = {
	error: { code: "UNAVAILABLE", message: "PluginInstanceUnavailableError: Plugin xworkmate was reloaded or disabled" },
};
export const noSuchMethod = {
	error: {
		code: "FORBIDDEN",
		message: "missing scope: operator.admin",
		details: { code: "MISSING_SCOPE", missingScope: "operator.admin" },
	},
};

export const runId = RunId.parse("run-1");
export const threadId = ThreadId.parse("draft:thread-1");
export const sessionKey = newSessionKey(threadId, runId);
const quiet = { info: () => {}, warn: () => {}, debug: () => {} };
const quick: Partial<GatewayBounds> = {
	retryMs: 5,
	retryMaxMs: 20,
	pollMs: 20,
	abortMs: 50,
	witnessMs: 50,
	busyMs: 0,
	// A busy machine takes its time to connect.
	availabilityMs: 20_000,
};

export const turn: ProviderTurn = {
	runId,
	threadId,
	sessionId: SessionId.parse("thread-1"),
	turnId: TurnId.parse("turn-1"),
	prompt: "the person's words",
	composedPrompt: "context and the person's words",
	workspaceContext: "context",
	artifactContract: openArtifactContract,
	artifactScope: ArtifactScope.parse("tasks/t-000000000000/run-1"),
	artifactDirectory: "/nowhere",
	workingDirectory: "/nowhere",
	attachments: [],
	begun: false,
};

/** A provider in front of a gateway double with a plugin double in it. */
export async function providerScene(bounds: Partial<GatewayBounds> = {}, allowUntested = false) {
	const plugin = new PluginDouble();
	const double = await GatewayDouble.start((request, connection) => plugin.respond(request, connection));
	const provider = new OpenClawProvider({
		connection: { access: async () => ({ url: double.url, version: "1" }), place: { host: "the double", setBy: {} } },
		source: new ArtifactSource({ baseUrl: new URL("http://127.0.0.1:9"), stallMs: 100 }),
		bounds: { ...defaultGatewayBounds, ...quick, ...bounds },
		log: quiet,
		allowUntested,
	});
	const updates: ProviderUpdate[] = [];
	/** How many messages the gateway had when the turn was said to be handed over. */
	const sentAtHandOver: number[] = [];
	const sent = () => plugin.calls.filter((call) => call.startsWith("chat.send")).length;
	const saved: (string | undefined)[] = [];
	const sink: TurnSink = {
		handOver: async () => void sentAtHandOver.push(sent()),
		emit: async (update) => void updates.push(update),
		requestPermission: async () => ({ decision: "deny" }),
		rejectArtifact: () => {},
		saveSession: async (session) => void saved.push(session?.providerSessionId),
	};
	const stop = new AbortController();
	const run = (more: Partial<ProviderTurn> = {}) => provider.runTurn({ ...turn, ...more }, sink, stop.signal);
	const said = () => updates.flatMap((update) => (update.kind === "message_delta" ? [update.text] : []));
	const close = async () => {
		await provider.close();
		await double[Symbol.asyncDispose]();
	};
	return { plugin, double, provider, updates, saved, stop, run, said, sent, sentAtHandOver, [Symbol.asyncDispose]: close };
}
