import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { AskedInput } from "../../../src/ui/approvals/asked-input.tsx";
import { Clamped } from "../../../src/ui/rich-text/clamped.tsx";
import { AgentPlan } from "../../../src/ui/run/agent-plan.tsx";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import type { Outcome } from "../../../src/ui/turn/outcome.ts";
import { approval } from "../stories.ts";

afterEach(cleanup);

const long = "Tidy up everything ".repeat(160).trim();
const more = () => screen.getByRole("button", { name: "Show more" });

it("a long line is clamped to three lines, with all of it for screen readers, until it is shown in full", () => {
	render(<Clamped text={long} />);
	expect(screen.getByText(long).className).toBe("clamp");
	const css = readFileSync(join(import.meta.dirname, "../../../src/ui/styles/outcome.css"), "utf8");
	expect(css.split("\n.clamp {")[1]?.split("}")[0]).toContain("line-clamp: 3;");
	fireEvent.click(more());
	expect(screen.getByText(long).className).not.toBe("clamp");
	fireEvent.click(screen.getByRole("button", { name: "Show less" }));
	expect(screen.getByText(long).className).toBe("clamp");
});

it("a short line is shown as it is", () => {
	const { container } = render(<Clamped text="Tidy up" />);
	expect(container.innerHTML).toBe("Tidy up");
});

describe("an agent's long text does not fill the page", () => {
	it("as a step of its plan", () => {
		render(<AgentPlan entries={[{ content: long, state: "pending" }]} live />);
		more();
	});

	it("as a fact of an outcome", () => {
		const outcome: Outcome = { tone: "bad", title: "Failed", facts: [long], rejected: [], rejectedCount: 0, actions: [] };
		render(<OutcomeCard outcome={outcome} files={[]} act={() => undefined} openFile={() => undefined} />);
		more();
	});

	it("as the title of a request beside its command, which is never clamped", () => {
		const asked = approval({ title: long, input: { text: JSON.stringify({ command: `echo ${"x".repeat(900)}` }), truncated: false } });
		render(<AskedInput approval={asked} provider="Lively" where={undefined} isLost={false} />);
		expect(screen.getAllByRole("button", { name: "Show more" })).toHaveLength(1);
		expect(document.querySelector(".asked-title .clamp")?.textContent).toContain(long);
	});
});
