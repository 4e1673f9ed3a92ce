import { readFile, writeFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { settle } from "../support/bridge/settle.ts";
import { gatewayTurn, startGatewayBridge, suiteGateway } from "../support/openclaw/openclaw-suite.ts";

const MIB = 1024 * 1024;
const scope = "$XWORKMATE_ARTIFACT_DIRECTORY";

/** Resident memory of a process now and at its peak since `forget`, in MiB. Linux only. */
async function memory(pid: number): Promise<{ readonly now: number; readonly peak: number }> {
	const status = await readFile(`/proc/${pid}/status`, "utf8");
	const field = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024);
	return { now: field("VmRSS"), peak: field("VmHWM") };
}

/** Lets the peak begin again at what is used now. */
function forgetPeak(pid: number): Promise<void> {
	return writeFile(`/proc/${pid}/clear_refs`, "5");
}

it.skipIf(process.platform !== "linux").each([
	["2,000 files", `mkdir ${scope}/many && for n in $(seq 1 2000); do printf %s $n > ${scope}/many/$n.txt; done`, 2000, undefined],
	["a file of 1 GiB", `truncate -s 1G ${scope}/big.bin`, 1, "49bc20df15e412a64472421e13fe86ff1c5165e18b2afccf160d4dc19fe68a14"],
])("[T4-27] [T4-29] delivers %s in memory that stays flat", async (what, command, count, sha256) => {
	await using bridge = await startGatewayBridge();
	await settle(bridge.client(), gatewayTurn("FAKE:SAY warm"));
	const processes = { bridge: bridge.pid, gateway: await suiteGateway().pid() };
	for (const pid of Object.values(processes)) await forgetPeak(pid);
	const before = { bridge: await memory(processes.bridge), gateway: await memory(processes.gateway) };
	const { snapshot } = await settle(bridge.client(), gatewayTurn(`FAKE:RUN ${command} ;; SAY done`));
	const after = { bridge: await memory(processes.bridge), gateway: await memory(processes.gateway) };
	expect(snapshot).toMatchObject({ status: "completed", artifacts: { count } });
	if (sha256 !== undefined) expect(snapshot.artifacts.items[0]?.sha256).toBe(sha256);
	const seconds = (Date.parse(snapshot.endedAt ?? "") - Date.parse(snapshot.startedAt ?? "")) / 1000;
	const grown = { bridge: after.bridge.peak - before.bridge.now, gateway: after.gateway.peak - before.gateway.now };
	console.log(`${what}: ${snapshot.artifacts.totalBytes / MIB} MiB in ${seconds.toFixed(1)} s`, { before, after, grown });
	expect(grown.bridge).toBeLessThan(250);
	expect(grown.gateway).toBeLessThan(350);
});
