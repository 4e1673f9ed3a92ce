import { z } from "zod";
import type { BridgeProcess } from "../bridge/bridge-process.ts";
import { waitUntil } from "../machine/wait-until.ts";
import { startFakeDiscord } from "../services/fake-discord.ts";
import type { KillOutlet } from "./kill-outlet.ts";
import { jonas, owner, stopPosts } from "./set-up-discord.ts";

const Tasks = z.object({ items: z.array(z.unknown()) });

const IN_HAND_OVER = "in the hand-over";
const POSTED = "posted, before the answer";
const SETTLING = "while it looks for its post";
const PATH = `/channels/${owner.channel}/messages`;

/** Posts on Discord, which forgets their nonces at once: a second one would be seen. */
export async function discordOutlet(): Promise<KillOutlet> {
	const discord = await startFakeDiscord();
	const asked = async (method: string) =>
		(await discord.state()).requests.filter((one) => one.method === method && one.path === PATH).length;
	const heard = async (method: string, before: number) =>
		waitUntil(`a ${method} of ${PATH}`, 60_000, async () => ((await asked(method)) > before ? true : undefined));
	let looked = 0;
	await discord.do({ kind: "rule", forgetsNonces: true });
	return {
		channel: "discord",
		env: discord.settings,
		points: [IN_HAND_OVER, POSTED, SETTLING],
		contact: jonas.address,
		isProved: true,
		async setUp(bridge) {
			const settings = { owner: owner.id, channel: owner.channel };
			await bridge.client().rpc("xworkmate.channels.configure", { channel: "discord", settings, secrets: {} });
		},
		async hold(point) {
			const before = await asked("POST");
			await stopPosts(discord, owner.channel, { hang: true, after: point !== IN_HAND_OVER });
			looked = await asked("GET");
			if (point === SETTLING) await discord.do({ kind: "fail", method: "GET", path: PATH, hang: true });
			return () => heard("POST", before);
		},
		async back(bridge, point) {
			if (point !== SETTLING) return;
			await heard("GET", looked);
			// A run that is starting at two deaths of the bridge is not begun a third time, which is not what this round is about.
			await waitUntil("the end of the plan's work", 60_000, async () => ((await isAtWork(bridge)) ? undefined : true));
			await bridge.restart("SIGKILL");
		},
		arrived: async () => [...(await discord.posts(owner.channel)), ...(await discord.posts(jonas.direct))].map(({ content }) => content),
		[Symbol.asyncDispose]: () => discord[Symbol.asyncDispose](),
	};
}

async function isAtWork(bridge: BridgeProcess): Promise<boolean> {
	const lists = await Promise.all(["queued", "running"].map((status) => bridge.client().rpc("xworkmate.tasks.list", { status, limit: 1 })));
	return lists.some((list) => Tasks.parse(list).items.length > 0);
}
