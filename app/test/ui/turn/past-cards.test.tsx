import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn } from "../../../src/ui/turn/turn-view.ts";
import { at, ended, snapshot } from "../stories.ts";

afterEach(cleanup);

function show(...detail: Parameters<typeof ended>) {
	const outcome = deriveOutcome({ detail: ended(...detail), view: emptyTurn, provider: "Lively" });
	if (outcome === undefined) throw new Error("there is no outcome");
	return render(<OutcomeCard outcome={outcome} files={[]} act={() => undefined} openFile={() => undefined} />);
}

describe("the card of a run that is over", () => {
	it("claims no time limit, which may have been another one then, and says how long the run took", () => {
		const end = snapshot({ status: "interrupted", success: false, code: "DEADLINE_EXCEEDED", startedAt: at(0), endedAt: at(3600) });
		const { container } = show({ status: "interrupted", resultDetail: { code: "DEADLINE_EXCEEDED", message: "x" } }, end);
		expect(container.querySelector("h2, h3")?.textContent).toBe("Timed out");
		expect(container.textContent).toContain("1 h");
	});

	it("does not count the messages of a queue that has moved on", () => {
		const { container } = show({ status: "refused", resultDetail: { code: "OPENCLAW_GATEWAY_QUEUE_FULL", message: "x" } }, undefined);
		expect(container.querySelector("h2, h3")?.textContent).toBe("The OpenClaw queue was full");
		expect(container.querySelector(".say")?.textContent).toBe("Your message wasn’t queued, but it is kept.");
	});
});

describe("the outcome of a run with more files than its snapshot lists", () => {
	const cut = (more: object) => {
		const end = snapshot(more, ["a.md"]);
		return { ...end, artifacts: { ...end.artifacts, count: 250 } };
	};
	const required = [
		{ glob: "a.md", minCount: 1 },
		{ glob: "z.pdf", minCount: 1 },
		{ glob: "zz.pdf", minCount: 1 },
	];

	it("counts every required file of a success, which had them all", () => {
		show({ syncStatus: "synced" }, cut({}), required);
		expect(screen.getByText("Required files delivered: 3 of 3")).toBeTruthy();
	});

	it.each([
		["REQUIRED_ARTIFACT_MISSING", ""],
		["OPENCLAW_REQUIRED_ARTIFACT_MISSING", "openclaw returned partial artifacts without required final deliverables: "],
	])("calls missing what the bridge found missing, not what the list lacks (%s)", (code, prefix) => {
		const message = `${prefix}Required files are missing: zz.pdf (0 of 1).`;
		show({ status: "artifact_missing" }, cut({ status: "artifact_missing", success: false, code, message }), required);
		expect(screen.getByText("Required files are missing: zz.pdf (0 of 1).")).toBeTruthy();
		expect(screen.queryByText("z.pdf", { exact: false, selector: "code, li *" })).toBeNull();
		expect(screen.queryByRole("list", { name: "Required files" })).toBeNull();
	});

	it("names no file where the bridge named none", () => {
		show({ status: "artifact_missing" }, cut({ status: "artifact_missing", success: false, code: "REQUIRED_ARTIFACT_MISSING" }), required);
		expect(screen.getByText(/^Missing: a required file\./)).toBeTruthy();
	});
});
