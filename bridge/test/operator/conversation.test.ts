import { ContractError, type Routing, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { ChannelThreads } from "../../src/operator/discord/channel-threads.ts";
import { Conversation, type ConversationParts } from "../../src/operator/discord/conversation.ts";
import type { NewPost } from "../../src/operator/discord/discord-wire.ts";
import type { Outbox } from "../../src/operator/discord/outbox.ts";
import type { PostState } from "../../src/ports/operator-store.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";

/** What Discord is told about a message with a file of this name, which would be routed so. */
async function toldAbout(filename: string, routing: object = { executionTarget: "agent" }) {
	const told: string[] = [];
	const runs: Partial<RunService> = {
		resolve: async () => {
			throw new ContractError("NOT_FOUND");
		},
	};
	const threads: Partial<ChannelThreads> = {
		isAllowed: async () => true,
		threadOf: async () => ThreadId.parse("discord-300"),
	};
	const outbox: Partial<Outbox> = {
		stateOf: async () => undefined,
		post: async ({ content: said }: Pick<NewPost, "content">) => void told.push(said ?? ""),
	};
	const parts: Partial<ConversationParts> = {
		runs: runs as RunService,
		threads: threads as ChannelThreads,
		outbox: outbox as Outbox,
		wire: { download: async () => new Uint8Array(3), messages: async () => [] },
		mayTalk: () => true,
		me: () => "100",
		routing: async () => routing as Routing,
		stopped: new AbortController().signal,
	};
	await new Conversation(parts as ConversationParts).hear({
		id: "400",
		channel_id: "300",
		content: "read this",
		type: 0,
		author: { id: "200" },
		attachments: [{ filename, url: "https://cdn/x", size: 3 }],
	} as never);
	return told[0];
}

it("says in plain words why a message can't become a run, without the schema's words", async () => {
	expect(await toldAbout("..")).toBe(
		"**Your message didn't start a run.** The name of an attached file can't be used\\. Rename the file, then send the message again\\.",
	);
});

it("blames the default agent only if the agent is what can't be used", async () => {
	expect(await toldAbout("a.txt", { executionTarget: "agent", providerId: "" })).toBe(
		"**Your message didn't start a run.** The agent for messages from Discord can't be used\\. Check the default agent under Settings, then send the message again\\.",
	);
	expect(await toldAbout("a.txt", { executionTarget: "nowhere" })).toBe(
		"**Your message didn't start a run.** XWorkmate can't make a run of this message\\. Send the message in XWorkmate instead\\.",
	);
});

const message = { id: "400", channel_id: "300", content: "Delete it", type: 0, author: { id: "200" }, attachments: [] } as never;

/** A conversation whose refusals end up in the given state, what it submitted and posted, and whether an agent is ready. */
function scene(state: PostState = "sent", known: readonly string[] = ["399"]) {
	const [submitted, posted]: [string[], string[]] = [[], []];
	const [agent, stop] = [{ isReady: false }, new AbortController()];
	const runs: Partial<RunService> = {
		resolve: async () => {
			throw new ContractError("NOT_FOUND");
		},
		list: async () => ({ items: known.map((turnId) => ({ turnId })) }) as Awaited<ReturnType<RunService["list"]>>,
		submit: async (_method, { prompt }) => {
			submitted.push(prompt);
			return { runId: "run-1" } as Awaited<ReturnType<RunService["submit"]>>;
		},
	};
	const threads: Partial<ChannelThreads> = { isAllowed: async () => true, threadOf: async () => ThreadId.parse("discord-300") };
	const outbox: Partial<Outbox> = {
		stateOf: async () => (posted.length > 0 ? state : undefined),
		post: async ({ content }) => void posted.push(content),
	};
	const conversation = new Conversation({
		...{ runs: runs as RunService, threads: threads as ChannelThreads, outbox: outbox as Outbox, stopped: stop.signal },
		wire: { download: async () => new Uint8Array(3), messages: async () => [] },
		...{ mayTalk: () => true, me: () => "100", follow: () => undefined },
		routing: async () => {
			if (!agent.isReady) throw new ContractError("PROVIDER_UNAVAILABLE");
			return { executionTarget: "agent" };
		},
	});
	return { conversation, submitted, posted, agent, stop };
}

it.each<PostState>(["sent", "intended"])(
	"a message that was or may have been said (%s) not to have started a run doesn't start one when it is read again",
	async (state) => {
		const { conversation, submitted, posted, agent } = scene(state);
		await conversation.hear(message);
		expect(posted).toHaveLength(1);
		agent.isReady = true;
		await conversation.hear(message);
		expect(submitted).toEqual([]);
		expect(posted[1]).toBe(
			"**Your message didn't start a run.** XWorkmate refused it earlier\\. To run it, send the message again; you will be told if something is wrong with it\\.",
		);
	},
);

it("a message whose refusal Discord didn't let the bot post starts a run when it is read again", async () => {
	const { conversation, submitted, agent } = scene("failed");
	await conversation.hear(message);
	agent.isReady = true;
	await conversation.hear(message);
	expect(submitted).toEqual(["Delete it"]);
});

it("a message that arrives while the bridge is stopped is left for the next one: no run is begun that would be cut off", async () => {
	const { conversation, submitted, posted, agent, stop } = scene();
	stop.abort();
	await conversation.hear(message);
	agent.isReady = true;
	await conversation.hear(message);
	expect({ submitted, posted }).toEqual({ submitted: [], posted: [] });
});

it("a message in a channel without a run, of which the next bridge would not learn, is not left while the bridge is stopped", async () => {
	const { conversation, submitted, posted, agent, stop } = scene("failed", []);
	stop.abort();
	await conversation.hear(message);
	expect(posted).toHaveLength(1);
	agent.isReady = true;
	await conversation.hear(message);
	expect(submitted).toEqual(["Delete it"]);
});
