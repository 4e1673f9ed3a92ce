import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useSaid } from "../../../src/ui/state/said.ts";

afterEach(() => {
	cleanup();
	vi.useRealTimers();
});

it("what was said aloud does not stay on the page as if it were so still", () => {
	vi.useFakeTimers();
	const { result } = renderHook(useSaid);
	const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
	act(() => result.current.announce("Codex asks for your permission: rm -rf build", "assertive"));
	wait(3_000);
	act(() => result.current.announce("Denied", "polite"));
	expect(result.current.said).toEqual({ polite: "Denied", assertive: "Codex asks for your permission: rm -rf build" });
	wait(2_000);
	expect(result.current.said).toEqual({ polite: "Denied", assertive: "" });
	wait(3_000);
	expect(result.current.said).toEqual({ polite: "", assertive: "" });
});
