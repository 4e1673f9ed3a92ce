import { expect, it } from "vitest";
import { z } from "zod";
import { runCommand } from "../../support/app/command.ts";
import { writeProviders } from "../../support/bridge/bridge-process.ts";
import { unrulyAgent } from "../../support/bridge/providers.ts";
import { temporaryHome } from "../../support/machine/temporary-home.ts";

const Threads = z.array(z.looseObject({ threadId: z.string() }));

it("a call that was allowed after its agent had begun it, and has no result, is named by threads show, activity and receipts", async () => {
	await using home = await temporaryHome();
	await writeProviders(home, [unrulyAgent()]);
	const begun = { sessionUpdate: "tool_call", toolCallId: "ask-make", title: "make", kind: "execute", status: "in_progress" };
	const prompt = `UNRULY:UPDATE ${JSON.stringify({ ...begun, rawInput: { command: "make" } })} ;; ASK make ;; SAY done`;
	const ran = await runCommand(home, ["run", "--provider", "unruly", "--approve", "all", prompt]);
	expect(ran.code, ran.stderr).toBe(0);

	const threads = await runCommand(home, ["threads", "--json"]);
	const [thread] = Threads.parse(JSON.parse(threads.stdout));
	const shown = await runCommand(home, ["threads", "show", thread?.threadId ?? ""]);
	expect(shown.stdout).toContain("Allowed: make; XWorkmate can’t tell whether it was done");

	const runId = /run-[0-9a-z-]+/.exec(shown.stdout)?.[0] ?? "";
	const said = "“make”, the agent did not report how the call ended, allowed by the user";
	expect((await runCommand(home, ["activity", runId])).stdout).toContain(said);
	const { stdout } = await runCommand(home, ["receipts", "list", "--run", runId]);
	expect(stdout).toMatch(
		/ {2}unknown[^\n]*\n[^\n]* {2}approved {2}[^\n]*allowed once by you[^\n]*\n[^\n]* {2}started {2}[^\n]*\n[^\n]* {2}requested /,
	);
});
