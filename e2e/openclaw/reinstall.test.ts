import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { z } from "zod";
import { approvals, decide } from "../support/app/approvals.ts";
import { runCommand } from "../support/app/command.ts";
import type { BridgeProcess } from "../support/bridge/bridge-process.ts";
import { settle } from "../support/bridge/settle.ts";
import { temporaryHome } from "../support/machine/temporary-home.ts";
import { waitUntil } from "../support/machine/wait-until.ts";
import { documentedBlock, runDocumented } from "../support/openclaw/openclaw-document.ts";
import { gatewaySettings, gatewayTurn, startGatewayBridge, useOnboardedGateway } from "../support/openclaw/openclaw-suite.ts";
import type { BareClient } from "../support/wire/bare-client.ts";

const DOCTOR_BOUND_MS = 120_000;
/** Two installations, which take a minute each on a busy machine, and two runs. */
const REINSTALL_BOUND_MS = 600_000;
/** The first run of a gateway takes many times as long as the next ones. */
const FIRST_TURN_BOUND_MS = 240_000;
const gateway = useOnboardedGateway();
let bridge: BridgeProcess;
let client: BareClient;

beforeAll(async () => {
	bridge = await startGatewayBridge({ env: { ...gatewaySettings(gateway), XWORKMATE_ALLOW_PROVIDERS: "" } });
	client = bridge.client();
});
afterAll(() => bridge[Symbol.asyncDispose]());

/** The document's lines that put a packed plugin over the installed one. */
async function reinstall(): Promise<string> {
	const lines = (await documentedBlock(3, "npm pack")).split("\n").filter((line) => /npm pack|plugins install/.test(line));
	return (await runDocumented(gateway, lines.join("\n"))).stdout;
}

const tried = () => client.rpc("xworkmate.providers.test", { providerId: "openclaw" });

async function namesIn(folder: string): Promise<readonly string[]> {
	return (await readdir(folder)).filter((name) => name.includes("trial-"));
}

const Held = z.object({ items: z.array(z.object({ id: z.string() })) });

it(
	"is not replaced by an installation while a run is under way, is replaced by the same line afterwards, and works",
	async () => {
		await using home = await temporaryHome();
		using operator = await gateway.connect();
		let heldId = "";
		const first = await settle(client, gatewayTurn("FAKE:RUN printf done > $XWORKMATE_ARTIFACT_DIRECTORY/done.txt ;; SAY it is done"), {
			during: async () => {
				const question = await waitUntil(
					"the question",
					FIRST_TURN_BOUND_MS,
					async () => (await approvals(client, { state: "pending" }))[0],
				);
				heldId = Held.parse(await operator.request("xworkmate.approvals.list", {})).items[0]?.id ?? "";
				await expect(reinstall()).rejects.toThrow("still has active retained work");
				expect(await tried(), "the run's plugin goes on").toMatchObject({ provider: { available: true } });
				await decide(client, question.approvalId, "allow_once");
			},
		});
		expect(first.snapshot).toMatchObject({ status: "completed", artifacts: { items: [{ relativePath: "done.txt" }] } });

		expect(await reinstall()).toContain("Applied in Gateway generation");
		await waitUntil("a gateway that is ready", DOCTOR_BOUND_MS, async () => {
			const { stdout } = await runCommand(home, ["doctor"], { env: gatewaySettings(gateway), boundMs: DOCTOR_BOUND_MS });
			return stdout.includes("gateway openclaw: OpenClaw is ready.") ? true : undefined;
		});
		const late = await operator.request("xworkmate.approvals.answer", { id: heldId, allow: false });
		expect(late, "the record of the plugin before it").toEqual({ applied: false, outcome: "allowed" });
		const second = await settle(client, gatewayTurn("FAKE:WRITE $XWORKMATE_ARTIFACT_DIRECTORY/next.md # hello ;; SAY it is written"));
		expect(second.snapshot).toMatchObject({ status: "completed", artifacts: { items: [{ relativePath: "next.md" }] } });

		expect(await tried()).toMatchObject({ provider: { available: true } });
		expect(await namesIn(join(gateway.stateFolder, "xworkmate", "runs"))).toEqual([]);
		expect(await namesIn(join(gateway.workspace, "tasks"))).toEqual([]);
	},
	REINSTALL_BOUND_MS,
);

it("is not said to be ready while it cannot prepare a run, with the reason, and is ready once it can", async () => {
	const tasks = join(gateway.workspace, "tasks");
	const aside = join(gateway.workspace, "tasks-aside");
	await mkdir(tasks, { recursive: true });
	await rename(tasks, aside);
	try {
		await writeFile(tasks, "");
		const message = expect.stringContaining("can't prepare a run: tasks in the agent's workspace is a link or a file");
		expect(await tried()).toMatchObject({ provider: { available: false, unavailable: { code: "GATEWAY_PLUGIN_UNUSABLE", message } } });
	} finally {
		await rm(tasks);
		await rename(aside, tasks);
	}
	expect(await tried()).toMatchObject({ provider: { available: true } });
});
