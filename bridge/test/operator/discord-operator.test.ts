import { ThreadId } from "@xworkmate/contracts";
import { expect, it } from "vitest";
import type { Connection, ConnectionEvents } from "../../src/operator/discord/discord-connection.ts";
import { DiscordOperator } from "../../src/operator/discord/discord-operator.ts";
import type { OperatorStore } from "../../src/ports/operator-store.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";
import { FakeClock } from "../ports/fake-clock.ts";

/** An operator of channel 300, how many of the latest runs it asked for, and the channels that it read. */
function scene() {
	let events: ConnectionEvents | undefined;
	const asked: (number | undefined)[] = [];
	const read: string[] = [];
	const log: Partial<RunService["log"]> = { onCommittedAny: () => () => undefined };
	const runs: Partial<RunService> = {
		list: async ({ limit, threadId }) => {
			if (threadId === undefined) asked.push(limit);
			return { items: [] };
		},
		log: log as RunService["log"],
	};
	const connection: Partial<Connection> = {
		connect: async () => undefined,
		setCommands: async () => undefined,
		messages: async (channel) => {
			read.push(channel);
			return [];
		},
		[Symbol.asyncDispose]: async () => undefined,
	};
	// The thread was begun with `/new`, so it is known what has been written since.
	const threadOf = async () => ThreadId.parse("discord-300-399");
	const store: Partial<OperatorStore> = { channels: async () => [], threadOf, unfinishedPosts: async () => [] };
	const operator = new DiscordOperator(
		{ token: "secret", approvers: ["200"], users: [], channels: ["300"] },
		{
			...{ runs: runs as RunService, store: store as OperatorStore, clock: new FakeClock(), warn: () => undefined },
			routing: async () => ({ executionTarget: "agent" }),
			open: (_token, _url, given) => {
				events = given;
				return connection as Connection;
			},
		},
	);
	const settled = () => new Promise((resolve) => setImmediate(resolve));
	return { operator, events: events as ConnectionEvents, asked, read, settled };
}

it("looks for answers that weren't posted when the connection begins and when it is resumed, as many as it says", async () => {
	const { operator, events, asked, settled } = scene();
	await using _operator = operator;
	events.ready({ id: "100", name: "xw-bot" });
	await settled();
	expect(asked).toEqual([100]);
	events.lost("The connection was closed.");
	expect((await operator.view()).findings[0]?.message).toContain("it posts the answers that are missing, for the latest 100 runs.");
	events.resumed();
	await settled();
	expect(asked).toEqual([100, 100]);
});

it("reads what was written in its channels when the connection begins and when it is resumed, but not while the bridge stops", async () => {
	const { operator, events, read, settled } = scene();
	events.ready({ id: "100", name: "xw-bot" });
	await settled();
	expect(read).toEqual(["300"]);
	events.resumed();
	await settled();
	expect(read).toEqual(["300", "300"]);
	const closed = operator[Symbol.asyncDispose]();
	events.resumed();
	events.ready({ id: "100", name: "xw-bot" });
	await closed;
	await settled();
	expect(read).toEqual(["300", "300"]);
});
