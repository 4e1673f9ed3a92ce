import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { ProviderId } from "@xworkmate/contracts";
import { afterEach, describe, expect, it } from "vitest";
import { OutcomeCard } from "../../../src/ui/run/outcome-card.tsx";
import { formatTime } from "../../../src/ui/text/format.ts";
import { deriveOutcome } from "../../../src/ui/turn/outcome.ts";
import { emptyTurn, type TurnView } from "../../../src/ui/turn/turn-view.ts";
import { ended, snapshot } from "../stories.ts";

afterEach(cleanup);

function show(turn: Parameters<typeof ended>[0], end: Parameters<typeof ended>[1], view: TurnView = emptyTurn) {
	const outcome = deriveOutcome({ detail: ended(turn, end), view, provider: "Lively" });
	if (outcome === undefined) throw new Error("there is no outcome");
	const acted: string[] = [];
	const shown = render(<OutcomeCard outcome={outcome} files={[]} act={(action) => acted.push(action)} openFile={() => {}} />);
	return { ...shown, acted };
}

describe("the end of a run", () => {
	it.each(["PROVIDER_LIMITED", "PROVIDER_AUTH_REQUIRED"])("%s of the assistant leads to the accounts", (code) => {
		const message = "All Anthropic accounts are unavailable until 10:42.";
		const end = snapshot({ status: "failed", success: false, code, message, provider: { target: "agent", providerId: "assistant" } });
		const { container, acted } = show({ status: "failed", resultDetail: { code, message } }, end);
		expect(container.textContent).toContain(message);
		expect(container.textContent).not.toContain("isn't signed in");
		fireEvent.click(screen.getByRole("button", { name: "Open Accounts" }));
		expect(acted).toEqual(["accounts"]);
	});

	it("PROVIDER_LIMITED says until when by the clock of whoever reads it", () => {
		const [until, later] = [new Date(2026, 0, 5, 10, 42).toISOString(), new Date(2026, 0, 5, 11, 7).toISOString()];
		const message = `All accounts for Anthropic are unavailable until ${until}: anthropic:a is rate limited until ${later}. Send it again.`;
		const end = snapshot({ status: "failed", success: false, code: "PROVIDER_LIMITED", message });
		const turn = {
			status: "failed",
			endedAt: new Date(2026, 0, 5, 10, 12).toISOString(),
			resultDetail: { code: "PROVIDER_LIMITED", message },
		};
		const { container } = show({ ...turn, status: "failed" }, end);
		expect(container.textContent).toContain("No account could be used for this message");
		expect(container.textContent).toContain(
			`unavailable until ${formatTime(until)}: anthropic:a is rate limited until ${formatTime(later)}. Send it again.`,
		);
	});

	it("says tokens, and the cost as that of the conversation, as reported, where the agent reported them", () => {
		const end = snapshot({ status: "failed", success: false, code: "LIMIT_EXCEEDED", message: "Too much." });
		const facts = (usage: TurnView["usage"], by = end) => {
			const { container } = show({ status: "failed" }, by, { ...emptyTurn, ...(usage && { usage }) });
			const shown = container.querySelector(".facts")?.textContent;
			cleanup();
			return shown;
		};
		expect(facts({ inputTokens: 18_000, outputTokens: 200, costUsd: 0.25 })).toContain(
			"18.2k tokens, $0.25 in this conversation, as reported",
		);
		const byAssistant = { ...end, provider: { ...end.provider, providerId: ProviderId.parse("assistant") } };
		expect(facts({ inputTokens: 18_000 }, byAssistant)).toMatch(/18\.0k tokens(?!, as reported)/);
		expect(facts({ contextUsed: 10 })).not.toMatch(/token|\$/);
	});
});
