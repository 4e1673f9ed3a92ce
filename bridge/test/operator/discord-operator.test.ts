import { expect, it } from "vitest";
import type { Connection, ConnectionEvents } from "../../src/operator/discord/discord-connection.ts";
import { DiscordOperator } from "../../src/operator/discord/discord-operator.ts";
import type { OperatorStore } from "../../src/ports/operator-store.ts";
import type { RunService } from "../../src/ports/runs/run-service.ts";
import { FakeClock } from "../ports/fake-clock.ts";

it("looks for answers that weren't posted when the connection begins and when it is resumed, as many as it says", async () => {
	let events: ConnectionEvents | undefined;
	const asked: (number | undefined)[] = [];
	const log: Partial<RunService["log"]> = { onCommittedAny: () => () => undefined };
	const runs: Partial<RunService> = {
		list: async ({ limit }) => {
			asked.push(limit);
			return { items: [] };
		},
		log: log as RunService["log"],
	};
	const connection: Partial<Connection> = {
		connect: async () => undefined,
		setCommands: async () => undefined,
		[Symbol.asyncDispose]: async () => undefined,
	};
	const store: Partial<OperatorStore> = { channels: async () => [], unfinishedPosts: async () => [] };
	await using operator = new DiscordOperator(
		{ token: "secret", approvers: ["200"], users: [], channels: [] },
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
	events?.ready({ id: "100", name: "xw-bot" });
	await settled();
	expect(asked).toEqual([100]);
	events?.lost("The connection was closed.");
	expect((await operator.view()).findings[0]?.message).toContain("it posts the answers of the latest 100 runs.");
	events?.resumed();
	await settled();
	expect(asked).toEqual([100, 100]);
});
