import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "vitest";
import { settle } from "../support/bridge/settle.ts";
import { processesNaming } from "../support/machine/live-processes.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { gatewayTurn, requestsAbout, suiteGateway, TURN_BOUND_MS, useGatewayBridge } from "../support/openclaw/openclaw-suite.ts";

const client = useGatewayBridge();

const exec = (params: object) => `FAKE:TOOL exec ${JSON.stringify(params)}`;
const spawn = (task: string) => `FAKE:TOOL sessions_spawn ${JSON.stringify({ task })}`;

describe.concurrent("a cancel ends what the run started on the gateway before it is confirmed", () => {
	it.for<readonly [string, (command: string) => string]>([
		["a command in the background", (command) => exec({ command, background: true })],
		["a command that OpenClaw moved to the background", (command) => exec({ command, yieldMs: 500 })],
		["a command that ignores the first signal", (command) => exec({ command: `trap '' TERM; ${command}`, background: true })],
		["a command of a sub-agent", (command) => spawn(exec({ command, background: true }))],
	])("%s", async ([, step], { expect }) => {
		const mark = randomUUID();
		const file = join(suiteGateway().temporaryFolder, mark);
		const written = () => readFile(file, "utf8").catch(() => "");
		const prompt = `${step(`while true; do echo x >> ${file}; sleep 0.05; done`)} ;; HANG`;
		const { snapshot } = await settle(client, gatewayTurn(prompt), {
			during: async (stream) => {
				await waitUntil("the command", TURN_BOUND_MS, async () => ((await written()) === "" ? undefined : true));
				// The model was asked again: the call has returned, so the command is in the background.
				await waitUntil("the next request", TURN_BOUND_MS, async () => ((await requestsAbout(mark)).length > 1 ? true : undefined));
				await client.rpc("xworkmate.tasks.cancel", { runId: stream.updates[0]?.runId ?? "" });
			},
		});
		const [atEnd, asked] = [await written(), (await requestsAbout(mark)).length];
		expect(snapshot).toMatchObject({ status: "cancelled" });
		expect(snapshot).not.toHaveProperty("code");
		expect((await processesNaming(suiteGateway().place.folder)).filter(({ command }) => command.includes(mark))).toEqual([]);
		// As long as another turn takes, nothing more happens.
		await settle(client, gatewayTurn("FAKE:SAY here"));
		expect(await written()).toBe(atEnd);
		expect((await requestsAbout(mark)).length).toBe(asked);
	});
});
