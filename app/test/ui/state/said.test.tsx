import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { useSaid } from "../../../src/ui/state/said.ts";

afterEach(() => {
	cleanup();
	vi.useRealTimers();
});

const texts = (said: ReturnType<typeof useSaid>["said"]) => said.map(({ text }) => text);

it("what was said aloud does not stay on the page as if it were so still", () => {
	vi.useFakeTimers();
	const { result } = renderHook(useSaid);
	const wait = (milliseconds: number) => act(() => vi.advanceTimersByTime(milliseconds));
	act(() => result.current.announce("Codex is asking for permission: rm -rf build"));
	wait(3_000);
	act(() => result.current.announce("Denied"));
	expect(texts(result.current.said)).toEqual(["Codex is asking for permission: rm -rf build", "Denied"]);
	wait(2_000);
	expect(texts(result.current.said)).toEqual(["Denied"]);
	wait(3_000);
	expect(texts(result.current.said)).toEqual([]);
});

it("what is said twice is announced twice, as an element of its own", () => {
	const { result } = renderHook(useSaid);
	act(() => result.current.announce("Denied"));
	act(() => result.current.announce("Denied"));
	expect(texts(result.current.said)).toEqual(["Denied", "Denied"]);
	expect(new Set(result.current.said.map(({ id }) => id)).size).toBe(2);
});
