import { ContractError, ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { ChannelThreads } from "../../src/operator/discord/channel-threads.ts";
import { Conversation, type ConversationParts } from "../../src/operator/discord/conversation.ts";
import type { NewPost } from "../../src/operator/discord/discord-wire.ts";
import type { Outbox } from "../../src/operator/discord/outbox.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";

/** What Discord is told about a message, given with the name of its only file. */
async function toldAbout(filename: string, content = "read this"): Promise<string | undefined> {
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
		kindsOf: async () => [],
		post: async ({ content: said }: Pick<NewPost, "content">) => void told.push(said ?? ""),
	};
	const parts: Partial<ConversationParts> = {
		runs: runs as RunService,
		threads: threads as ChannelThreads,
		outbox: outbox as Outbox,
		wire: { download: async () => new Uint8Array(3), messages: async () => [] },
		mayTalk: () => true,
		me: () => "100",
		routing: async () => ({ executionTarget: "agent" }),
	};
	await new Conversation(parts as ConversationParts).hear({
		id: "400",
		channel_id: "300",
		content,
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

it("a message that was said not to have started a run doesn't start one when it is read again", async () => {
	const [submitted, kinds]: [string[], string[]] = [[], []];
	const runs: Partial<RunService> = {
		resolve: async () => {
			throw new ContractError("NOT_FOUND");
		},
		submit: async (_method, { prompt }) => {
			submitted.push(prompt);
			return { runId: "run-1" } as Awaited<ReturnType<RunService["submit"]>>;
		},
	};
	const threads: Partial<ChannelThreads> = { isAllowed: async () => true, threadOf: async () => ThreadId.parse("discord-300") };
	const outbox: Partial<Outbox> = { kindsOf: async () => kinds, post: async ({ kind }) => void kinds.push(kind) };
	let hasAgent = false;
	const conversation = new Conversation({
		...{ runs: runs as RunService, threads: threads as ChannelThreads, outbox: outbox as Outbox },
		wire: { download: async () => new Uint8Array(3), messages: async () => [] },
		...{ mayTalk: () => true, me: () => "100", follow: () => undefined },
		routing: async () => {
			if (!hasAgent) throw new ContractError("PROVIDER_UNAVAILABLE");
			return { executionTarget: "agent" };
		},
	});
	const message = { id: "400", channel_id: "300", content: "Delete it", type: 0, author: { id: "200" }, attachments: [] } as never;
	await conversation.hear(message);
	expect(kinds).toEqual(["refused"]);
	hasAgent = true;
	await conversation.hear(message);
	expect(submitted).toEqual([]);
});
