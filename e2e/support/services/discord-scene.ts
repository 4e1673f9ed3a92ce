import { z } from "zod";
import { type BridgeProcess, startBridge } from "../bridge/bridge-process.ts";
import type { AgentEntry } from "../bridge/providers.ts";
import { writeWorldTools } from "../bridge/world-tools.ts";
import { type TemporaryHome, temporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { type FakeDiscord, OPS, startFakeDiscord } from "./fake-discord.ts";

/** The thread of the channel in which the bot listens. */
export const THREAD = `discord-${OPS}`;

const Tasks = z.object({ items: z.array(z.looseObject({ turnId: z.string(), runId: z.string(), status: z.string() })) });
const Operators = z.object({
	operators: z.array(
		z.object({
			state: z.string(),
			account: z.string().optional(),
			findings: z.array(z.object({ code: z.string(), message: z.string(), fix: z.string() })),
			unknownPosts: z.number(),
		}),
	),
});
export type DiscordView = z.infer<typeof Operators>["operators"][number];

export interface DiscordScene extends AsyncDisposable {
	readonly discord: FakeDiscord;
	readonly bridge: BridgeProcess;
	/** The runs of a thread, newest first. */
	runs(threadId?: string): Promise<z.infer<typeof Tasks>["items"]>;
	/** How the bridge says that its connection is. */
	view(): Promise<DiscordView>;
	viewed(what: string, fits: (view: DiscordView) => boolean): Promise<DiscordView>;
}

/** A bridge with the tools `world`, and a Discord to which it connects. */
export async function discordScene(
	env: Record<string, string> = {},
	isConnected = true,
	options: {
		readonly providers?: readonly AgentEntry[];
		/** Puts something into the home before the bridge starts. */
		readonly prepare?: (home: TemporaryHome) => Promise<void>;
	} = {},
): Promise<DiscordScene> {
	await using stack = new AsyncDisposableStack();
	const discord = stack.use(await startFakeDiscord());
	const home = stack.use(await temporaryHome());
	await writeWorldTools(home);
	await options.prepare?.(home);
	const { providers = [] } = options;
	const bridge = stack.use(await startBridge({ home, providers, env: { ...discord.settings, XWORKMATE_TOOLS_ACCEPT: "auto", ...env } }));
	if (isConnected) await discord.connected();
	const open = stack.move();
	const view = async () => {
		const [first] = Operators.parse(await bridge.client().rpc("xworkmate.operators.list")).operators;
		if (first === undefined) throw new Error("no operator is listed");
		return first;
	};
	return {
		discord,
		bridge,
		view,
		runs: async (threadId = THREAD) => Tasks.parse(await bridge.client().rpc("xworkmate.tasks.list", { threadId })).items,
		viewed: (what, fits) =>
			waitUntil(what, 20_000, async () => {
				const seen = await view();
				return fits(seen) ? seen : undefined;
			}),
		[Symbol.asyncDispose]: () => open.disposeAsync(),
	};
}
