import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { z } from "zod";
import { type BridgeProcess, startBridge } from "../bridge/bridge-process.ts";
import { BridgeWatch } from "../bridge/bridge-watch.ts";
import { receiptsOf } from "../wire/receipts.ts";
import { runProgram } from "../wire/run-program.ts";
import { harm } from "./describe-hostile.ts";
import { attackSource, type HostAttack } from "./host-attacks.ts";

const Listed = z.looseObject({
	integrations: z.array(
		z.looseObject({ integration: z.string(), state: z.string(), toolHash: z.string().optional(), problems: z.array(z.unknown()) }),
	),
});
const Output = z.array(z.tuple([z.string(), z.unknown()]));

/** A bridge with an accepted integration `attack`, whose methods are the attacks: a process for each would take longer than they do. */
export class AttackedBridge implements AsyncDisposable {
	readonly bridge: BridgeProcess;
	readonly #watch: BridgeWatch;
	readonly #attacks: readonly HostAttack[];

	private constructor(bridge: BridgeProcess, attacks: readonly HostAttack[]) {
		this.bridge = bridge;
		this.#watch = new BridgeWatch(bridge);
		this.#attacks = attacks;
	}

	static async open(attacks: readonly HostAttack[]): Promise<AttackedBridge> {
		const opened = new AttackedBridge(await startBridge(), attacks);
		const { xworkmate } = opened.bridge.home;
		const secrets = JSON.stringify({ listed: "s3cret-listed", other: "s3cret-other" });
		await writeFile(join(xworkmate, "secrets.json"), secrets, { mode: 0o600 });
		await opened.add("attack", attackSource(attacks, xworkmate));
		return opened;
	}

	get folder(): string {
		return join(this.bridge.home.xworkmate, "tools");
	}

	/** Writes an integration of one file, and accepts it. */
	async add(integration: string, source: string): Promise<void> {
		await this.write(integration, source);
		const found = (await this.reload()).find((one) => one.integration === integration);
		expect(found).toMatchObject({ state: "unaccepted", problems: [] });
		await this.bridge.client().rpc("xworkmate.tools.accept", { integration, toolHash: found?.toolHash });
	}

	async write(integration: string, source: string): Promise<void> {
		await mkdir(join(this.folder, integration), { recursive: true });
		await writeFile(join(this.folder, integration, "tools.ts"), source);
	}

	async reload() {
		return Listed.parse(await this.bridge.client().rpc("xworkmate.tools.reload")).integrations;
	}

	/** Runs these attacks in one program, and checks what must hold of each of them. */
	async expectHeld(attacks: readonly HostAttack[]): Promise<void> {
		const calls = attacks.map(
			(attack) => `{
				const r: any = await tools.attack.act${this.#attacks.indexOf(attack)}({ n: 1 });
				const end = (r.ok ? "ok " + r.value : r.error.code + " " + r.error.message).slice(0, 5_000);
				all.push([end, await tools.attack.peace({})]);
			}`,
		);
		const program = `const all: unknown[] = [];\n${calls.join("\n")}\nreturn JSON.stringify(all);`;
		const watched = await this.#watch.during(() => runProgram(this.bridge.client(), program));
		if (watched.result.kind === "refused") throw new Error(watched.result.refusal.message);
		const { runId, status, message, output } = watched.result.snapshot;
		expect({ status, message }).toEqual({ status: "completed", message: undefined });
		const receipts = await receiptsOf(this.bridge.client(), runId);
		const trails = [...Map.groupBy(receipts, ({ toolCallId }) => toolCallId).values()];
		for (const [index, [end, next]] of Output.parse(JSON.parse(output?.text ?? "")).entries()) {
			const attack = attacks[index];
			expect(end, attack?.name).toMatch(attack?.ends ?? "");
			// Whatever it did, the integration's next call is made.
			expect(next, attack?.name).toEqual({ ok: true, value: "fine" });
			const last = trails[2 * index]?.at(-1)?.type;
			if (end.startsWith("ok ")) expect(last).toBe("tool.call.succeeded");
			else if (/^(DENIED|TOOL_FAILED) /.test(end)) expect(last).toMatch(/\.(denied|failed)$/);
			else expect(last).toBe(attack?.risk === "write" ? "tool.call.unknown" : "tool.call.failed");
		}
		expect(trails).toHaveLength(2 * attacks.length);
		expect(JSON.stringify(receipts)).not.toContain("s3cret");
		expect(harm(watched)).toEqual([]);
		await this.#expectNothingWritten();
	}

	/** Nothing is where only the bridge and the user write. */
	async #expectNothingWritten(): Promise<void> {
		const { xworkmate } = this.bridge.home;
		expect(await readdir(xworkmate)).not.toContain("pwned");
		expect((await readdir(join(xworkmate, "tool-data"))).filter((name) => !["attack", "changing"].includes(name))).toEqual([]);
	}

	async [Symbol.asyncDispose](): Promise<void> {
		await this.#watch[Symbol.asyncDispose]();
		await this.bridge[Symbol.asyncDispose]();
	}
}
