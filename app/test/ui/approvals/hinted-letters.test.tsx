import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { ApprovalCard } from "../../../src/ui/approvals/approval-card.tsx";
import { approval, BEGIN } from "../stories.ts";

afterEach(cleanup);

it("hints the letters only while they answer: with the focus in the card", () => {
	const decided: string[] = [];
	const decide = (one: string) => void decided.push(one);
	render(<ApprovalCard approval={approval()} provider="Codex" now={BEGIN} singleKeys decide={decide} />);
	const hints = () => [...document.querySelectorAll("kbd:not(.unseen)")].map(({ textContent }) => textContent);
	fireEvent.keyDown(document.body, { key: "a" });
	expect([hints(), decided]).toEqual([[], []]);
	const request = document.querySelector<HTMLElement>("[data-approval]");
	act(() => request?.focus());
	expect(hints()).toEqual(["A", "D"]);
	act(() => screen.getByRole("button", { name: /^Deny/ }).focus());
	expect(hints()).toEqual(["A", "D"]);
	act(() => screen.getByRole("button", { name: /^Deny/ }).blur());
	expect(hints()).toEqual([]);
});
