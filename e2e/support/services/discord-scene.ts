import { z } from "zod";
import { type BridgeProcess, startBridge } from "../bridge/bridge-process.ts";
import type { AgentEntry } from "../bridge/providers.ts";
import { type Effect, worldEffects, writeWorldTools } from "../bridge/world-tools.ts";
import { type TemporaryHome, temporaryHome } from "../machine/temporary-home.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { type FakeDiscord, OPS, ownChannels, startFakeDiscord } from "./fake-discord.ts";

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
	/** The thread of the channel in which the test speaks. */
	readonly thread: string;
	/** The runs of a thread, by default of that one; newest first. */
	runs(threadId?: string): Promise<z.infer<typeof Tasks>["items"]>;
	/** What the tools `world` did in that thread. */
	effects(): Promise<readonly Effect[]>;
	/** How the bridge says that its connection is. */
	view(): Promise<DiscordView>;
	viewed(what: string, fits: (view: DiscordView) => boolean): Promise<DiscordView>;
}

export interface DiscordSceneOptions {
	readonly providers?: readonly AgentEntry[];
	/** Puts something into the home before the bridge starts. */
	readonly prepare?: (home: TemporaryHome) => Promise<void>;
}

/** A bridge with the tools `world`, and a Discord to which it connects. */
export async function discordScene(
	env: Record<string, string> = {},
	isConnected = true,
	options: DiscordSceneOptions = {},
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
	return sceneOf(discord, bridge, () => open.disposeAsync());
}

/** One bridge and one Discord for the tests of a file, each of which has a channel of its own. */
export interface SharedDiscordScene extends AsyncDisposable {
	readonly scene: DiscordScene;
	/** The same bridge, in a channel where nothing was said. */
	next(): DiscordScene;
}

export async function sharedDiscordScene(env: Record<string, string> = {}, options: DiscordSceneOptions = {}): Promise<SharedDiscordScene> {
	const channels = [...ownChannels];
	const scene = await discordScene({ XWORKMATE_DISCORD_CHANNELS: [OPS, ...ownChannels].join(), ...env }, true, options);
	return {
		scene,
		next() {
			const channel = channels.shift();
			if (channel === undefined) throw new RangeError(`there are ${ownChannels.length} channels, and each was given to a test`);
			return sceneOf(scene.discord.in(channel), scene.bridge, async () => {});
		},
		[Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
	};
}

function sceneOf(discord: FakeDiscord, bridge: BridgeProcess, end: () => Promise<void>): DiscordScene {
	const thread = `discord-${discord.channel}`;
	const view = async () => {
		const [first] = Operators.parse(await bridge.client().rpc("xworkmate.operators.list")).operators;
		if (first === undefined) throw new Error("no operator is listed");
		return first;
	};
	const runs = async (threadId = thread) => Tasks.parse(await bridge.client().rpc("xworkmate.tasks.list", { threadId })).items;
	return {
		discord,
		bridge,
		thread,
		view,
		runs,
		effects: async () => {
			const own = new Set((await runs()).map(({ runId }) => runId));
			return (await worldEffects(bridge.home)).filter(({ runId }) => own.has(runId));
		},
		viewed: (what, fits) =>
			waitUntil(what, 20_000, async () => {
				const seen = await view();
				return fits(seen) ? seen : undefined;
			}),
		[Symbol.asyncDispose]: end,
	};
}
