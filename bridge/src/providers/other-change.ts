import type { Diff } from "@xworkmate/contracts";
import { comparable } from "./comparable.ts";

/**
 * Whether a file was changed differently than the question showed. Only changes of the same old text are compared, because any other change
 * may be a part of the one that was shown.
 */
export function isOtherChange(shown: readonly Diff[], reported: readonly Diff[]): boolean {
	return reported.some((one) => {
		const [before, ...more] = shown.filter(({ path }) => path === one.path);
		const isSingle = more.length === 0 && reported.filter(({ path }) => path === one.path).length === 1;
		if (before === undefined || !isSingle || before.truncated || one.truncated) return false;
		return isSameText(before.oldText, one.oldText) && !isSameText(before.newText, one.newText);
	});
}

function isSameText(one = "", other = ""): boolean {
	return comparable(one) === comparable(other);
}
