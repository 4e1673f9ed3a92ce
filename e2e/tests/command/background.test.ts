import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { type BackgroundHome, backgroundHome, beginIn as begin, runIn as run, SignedInPage } from "../../support/app/background-app.ts";
import type { RunningCommand } from "../../support/app/command.ts";
import { DocumentedCommands } from "../../support/app/documented-commands.ts";
import { clientOf } from "../../support/app/kept-bridge.ts";
import { readEndpoint, writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { sayLines, writeReport } from "../../support/bridge/scripts.ts";
import { endByPid, expectNoProcessNaming, processesNaming } from "../../support/machine/live-processes.ts";
import { bundledPrograms } from "../../support/machine/programs.ts";
import { waitUntil, within } from "../../support/machine/wait-until.ts";
import { PlanDesk } from "../../support/plans/plan-desk.ts";

const link = /http:\/\/127\.0\.0\.1:\d+\/open\/[\w-]{43}/;
const END_MS = 40_000;
const Threads = z.array(z.looseObject({ threadId: z.string(), lastResultCode: z.string().optional(), turns: z.array(z.unknown()) }));
const Detail = z.looseObject({ result: z.looseObject({ thread: z.looseObject({ lastResultCode: z.string().optional() }) }) });

async function threadsOf(at: BackgroundHome): Promise<z.infer<typeof Threads>> {
	const { stdout, stderr, code } = await run(at, ["threads", "list", "--json"]);
	expect(code, stderr).toBe(0);
	return Threads.parse(JSON.parse(stdout));
}

/** Starts the app in a terminal and waits for its link. */
async function startIn(at: BackgroundHome): Promise<{ readonly start: RunningCommand; readonly page: SignedInPage }> {
	const start = begin(at, ["start"]);
	const [found = ""] = await start.until(link);
	return { start, page: await SignedInPage.open(found) };
}

it("commands that begin at once in an empty home use one app, which stays when they have ended", async () => {
	await using at = await backgroundHome();
	const ended = await Promise.all([1, 2, 3].map(() => run(at, ["run", "--provider", "script", writeReport])));
	expect(
		ended.map(({ code }) => code),
		ended.map(({ stderr }) => stderr).join("\n"),
	).toEqual([0, 0, 0]);
	const { pid } = await at.owner();
	await at.onlyApps([pid]);
	expect(await threadsOf(at)).toHaveLength(3);
	await at.onlyApps([pid]);
	// It gives memory back soon, which its bridge, that works with more of it, does not have to.
	const bridge = await readEndpoint(at.home);
	const variables = (of: number | undefined) => readFile(`/proc/${of}/environ`, "utf8");
	expect(await variables(pid)).toContain("MALLOC_ARENA_MAX=1");
	expect(await variables(bridge?.pid)).not.toContain("MALLOC_");
});

it("[D12] `open` from nothing prints a link that works", async () => {
	await using at = await backgroundHome();
	const { stdout, code, stderr } = await run(at, ["open", "--print"]);
	expect(code, stderr).toBe(0);
	const page = await SignedInPage.open(stdout.trim());
	expect((await page.call("listThreads", { archived: false }))?.status).toBe(200);
	const doctor = await run(at, ["doctor"]);
	expect(doctor.stdout).toMatch(/app: Running in the background since .* \(process \d+\)\.\n.*Stop it: .*stop\n/);
});

it("a terminal that is closed during a run leaves the page and the run: same address, same session, same bridge", async () => {
	await using at = await backgroundHome();
	const { start, page } = await startIn(at);
	const bridge = await readEndpoint(at.home);
	const sent = await run(at, ["run", "--detach", "--json", "--provider", "script", sayLines(30, 100)]);
	const { threadId } = z.looseObject({ threadId: z.string() }).parse(JSON.parse(sent.stdout));
	const unused = await run(at, ["open", "--print"]);
	start.kill("SIGHUP");
	expect((await within("the end of start", END_MS, start.ended)).code).toBe(0);
	const { pid, url } = await at.owner(start.pid);
	expect(url).toBe(page.origin);
	await at.onlyApps([pid]);
	// A link that was printed before, and opened only now.
	expect((await (await SignedInPage.open(unused.stdout.trim())).call("listThreads", { archived: false }))?.status).toBe(200);
	const detail = await waitUntil("the end of the run on the page", END_MS, async () => {
		const answer = await page.call("readThread", { threadId });
		expect(answer === undefined || answer.status === 200).toBe(true);
		const parsed = Detail.safeParse(answer?.body);
		return parsed.success && parsed.data.result.thread.lastResultCode !== undefined ? parsed.data : undefined;
	});
	expect(detail.result.thread.lastResultCode).toBe("success");
	expect((await readEndpoint(at.home))?.pid).toBe(bridge?.pid);
});

it.each(["SIGINT", "SIGTERM"] as const)("%s to start ends everything, as it always did", async (signal) => {
	await using at = await backgroundHome();
	const { start } = await startIn(at);
	start.kill(signal);
	await within("the end of start", END_MS, start.ended);
	await expectNoProcessNaming(at.home.path);
});

it("the death of the app is invisible to a command that follows a run", async () => {
	await using at = await backgroundHome();
	const command = begin(at, ["run", "--provider", "script", sayLines(30, 100)]);
	await command.until(/line 5\b/);
	const { pid } = await at.owner();
	endByPid(pid);
	const ended = await within("the end of the command", END_MS, command.ended);
	expect(ended.code, ended.stderr).toBe(0);
	expect(ended.stdout).toContain("said 30");
	const lines = [...(ended.stdout + ended.stderr).matchAll(/^\W*line (\d+)$/gm)].map(([, line]) => Number(line));
	expect(lines).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
	await at.onlyApps([(await at.owner(pid)).pid]);
	expect(await threadsOf(at)).toMatchObject([{ lastResultCode: "success", turns: [{}] }]);
});

it("start takes over from the background during a run: same address and bridge, and the command goes on", async () => {
	await using at = await backgroundHome();
	const command = begin(at, ["run", "--provider", "script", sayLines(40, 100)]);
	await command.until(/line 3\b/);
	const before = await at.owner();
	const bridge = await readEndpoint(at.home);
	const { start, page } = await startIn(at);
	expect([(await at.owner()).pid, page.origin]).toEqual([start.pid, before.url]);
	await at.onlyApps([]);
	const ended = await within("the end of the command", END_MS, command.ended);
	expect([ended.code, ended.stdout], ended.stderr).toEqual([0, expect.stringContaining("said 40")]);
	expect((await readEndpoint(at.home))?.pid).toBe(bridge?.pid);
	start.kill("SIGTERM");
	await within("the end of start", END_MS, start.ended);
	await expectNoProcessNaming(at.home.path);
});

it("kill -9 of start is invisible to its command and its page: an app in the background follows, with the run", async () => {
	await using at = await backgroundHome();
	const { start, page } = await startIn(at);
	const bridge = await readEndpoint(at.home);
	const command = begin(at, ["run", "--provider", "script", sayLines(30, 100)]);
	await command.until(/line 3\b/);
	endByPid(start.pid);
	const ended = await within("the end of the command", END_MS, command.ended);
	expect([ended.code, ended.stdout], ended.stderr).toEqual([0, expect.stringContaining("said 30")]);
	expect((await at.owner(start.pid)).url).toBe(page.origin);
	expect((await page.call("listThreads", { archived: false }))?.status).toBe(200);
	expect((await readEndpoint(at.home))?.pid).toBe(bridge?.pid);
});

it("ends by itself when nothing has used it, with its bridge", async () => {
	await using at = await backgroundHome("1500");
	expect((await run(at, ["run", "--provider", "script", sayLines(25, 100)])).code).toBe(0);
	await at.onlyApps([(await at.owner()).pid]);
	await expectNoProcessNaming(at.home.path, END_MS);
});

it("stays for a plan that is to come, fires it, and ends after it", async () => {
	await using at = await backgroundHome("1000");
	expect((await run(at, ["threads", "list"])).code).toBe(0);
	const desk = new PlanDesk(await clientOf(at.home));
	const scheduledFor = new Date(Date.now() + 6_000).toISOString();
	const plan = await desk.script("return 'fired'", { type: "scheduled", scheduledFor });
	const { pid } = await at.owner();
	await desk.until(plan.planId, "its end", ({ status }) => status === "completed");
	expect(Date.now()).toBeGreaterThan(Date.parse(scheduledFor));
	await at.onlyApps([pid]);
	await expectNoProcessNaming(at.home.path, END_MS);
	expect(await threadsOf(at)).toMatchObject([{ threadId: plan.threadId, lastResultCode: "success" }]);
});

it("a service takes over, says what it is, and after its restart fires the plan that came due meanwhile", async () => {
	await using at = await backgroundHome();
	expect((await run(at, ["threads", "list"])).code).toBe(0);
	const first = begin(at, ["start", "--service"]);
	await first.until(link);
	await at.onlyApps([]);
	expect((await run(at, ["doctor"])).stdout).toMatch(/app: Running as a service since .*\n.*service uninstall\n/);
	const scheduledFor = new Date(Date.now() + 1_500).toISOString();
	const plan = await new PlanDesk(await clientOf(at.home)).script("return 'fired'", { type: "scheduled", scheduledFor });
	first.kill("SIGTERM");
	await within("the end of the service", END_MS, first.ended);
	await expectNoProcessNaming(at.home.path);
	await waitUntil("the plan's time", END_MS, () => (Date.now() > Date.parse(scheduledFor) ? true : undefined));
	const again = begin(at, ["start", "--service"]);
	await again.until(link);
	await new PlanDesk(await clientOf(at.home)).until(plan.planId, "its end", ({ status }) => status === "completed");
	const threads = await waitUntil("the plan's thread", END_MS, async () => {
		const found = await threadsOf(at);
		return found.some(({ lastResultCode }) => lastResultCode !== undefined) ? found : undefined;
	});
	expect(threads).toMatchObject([{ threadId: plan.threadId, lastResultCode: "success" }]);
	again.kill("SIGHUP");
	await within("the end of the service", END_MS, again.ended);
	await expectNoProcessNaming(at.home.path);
});

it("SIGTERM ends it with its bridge and an agent at work", async () => {
	await using at = await backgroundHome();
	await writeProviders(at.home, [unrulyAgent()]);
	expect((await run(at, ["run", "--detach", "--provider", "unruly", "UNRULY:SAY so far ;; HANG"])).code).toBe(0);
	await waitUntil("the agent at work", END_MS, async () =>
		(await processesNaming(at.home.path)).some(({ command }) => command.includes("unruly-agent")) ? true : undefined,
	);
	process.kill((await at.owner()).pid, "SIGTERM");
	await expectNoProcessNaming(at.home.path, END_MS);
});

it("says that a command has other settings than the app in the background", async () => {
	await using at = await backgroundHome();
	expect((await run(at, ["threads", "list"])).stderr).toBe("");
	const other = await run(at, ["threads", "list"], { env: { XWORKMATE_ALLOWED_ROOTS: "/somewhere" } });
	expect([other.code, other.stderr]).toEqual([0, expect.stringMatching(/with different settings: XWORKMATE_ALLOWED_ROOTS\. .*stop\n$/)]);
});

it("docs/install.md: its lines about the app in the background do what it says", async () => {
	await using at = await backgroundHome();
	const document = await DocumentedCommands.read(at.home, "install.md");
	const { env } = at;
	// No browser is found here, so the link is printed alone.
	const open = await document.run("xworkmate open", { env });
	expect([open.code, open.stdout]).toEqual([0, expect.stringMatching(link)]);
	expect((await document.run("xworkmate doctor", { env })).stdout).toContain("Running in the background since");
	expect(await readFile(join(at.home.path, ".xworkmate", "app", "app.log"), "utf8")).toContain("XWorkmate is running in the background");
	expect(await document.run("xworkmate stop", { env })).toMatchObject({ code: 0, stdout: "XWorkmate has stopped.\n" });
	await expectNoProcessNaming(at.home.path);
	const off = { ...env, XWORKMATE_BACKGROUND: "" };
	expect((await document.run("xworkmate config set background false", { env: off })).stdout).toBe(
		"Saved. When XWorkmate starts, background will be false.\n",
	);
	expect((await run(at, ["tasks"], { env: off })).code).toBe(0);
	await expectNoProcessNaming(at.home.path);
});

it.skipIf(bundledPrograms === undefined)("an update takes the place of the version before it, whose run ends and says so", async () => {
	await using at = await backgroundHome();
	const before = join(at.home.path, "version before");
	await cp(bundledPrograms ?? "", before, { recursive: true, verbatimSymlinks: true });
	const manifest = join(before, "package.json");
	await writeFile(manifest, (await readFile(manifest, "utf8")).replace(/"version": "[^"]+"/, '"version": "0.0.1"'));
	const program = join(before, "programs", "xworkmate.js");
	// Programs can't run from a copy: their sandbox reads nothing outside of where they were built.
	await writeProviders(at.home, [unrulyAgent()]);
	const sent = await run(at, ["run", "--detach", "--provider", "unruly", "UNRULY:SAY so far ;; HANG"], { program });
	expect(sent.code, sent.stderr).toBe(0);
	const { pid } = await at.owner();
	expect(await run(at, ["threads", "list"], { program })).toMatchObject({ code: 0, stderr: "" });
	await at.onlyApps([pid]);
	const [thread] = await threadsOf(at);
	expect(thread).toMatchObject({ lastResultCode: "interrupted", turns: [{}] });
	await at.onlyApps([(await at.owner(pid)).pid]);
});
