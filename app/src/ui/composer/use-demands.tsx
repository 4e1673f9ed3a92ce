import { useState } from "react";
import { demandsOf, isDemanding } from "./composer-options.ts";
import { RequiredGlobs } from "./required-globs.tsx";
import type { ComposerOptions } from "./send-composed.ts";
import { takeTyped } from "./typed-globs.ts";

/** The files that the message's run must deliver, and the text that is still being typed in their field. */
export function useDemands(options: ComposerOptions, setOptions: (options: ComposerOptions) => void) {
	const [isShown, setShown] = useState(isDemanding(options));
	const [text, setText] = useState("");
	const typed = takeTyped(text, demandsOf(options.require));
	const take = (): ComposerOptions => {
		const taken = text === "" ? options : { ...options, require: typed.globs };
		setOptions(taken);
		setText("");
		return taken;
	};
	const toggle = (): boolean => {
		const isNeeded = !isShown || isDemanding(options) || text.trim() !== "";
		setShown(isNeeded);
		return isNeeded;
	};
	const fields = isShown && (
		<RequiredGlobs
			globs={demandsOf(options.require)}
			isAnyRequired={options.requiresExport === true}
			text={text}
			setText={setText}
			change={(require) => setOptions({ ...options, require })}
			dropAny={() => {
				const { requiresExport: _any, ...rest } = options;
				setOptions(rest);
			}}
		/>
	);
	return {
		isShown,
		setShown,
		/** Why the pattern being typed is invalid. While there is a problem, the message is not sent. */
		problem: typed.problem,
		/** Returns the options including what is still being typed, and clears its field. */
		take,
		/** Shows the fields, or hides them if they are empty. Returns true if they are shown. */
		toggle,
		fields,
	};
}
