import { useState } from "react";

/**
 * What the user makes of a stored value. It starts again from the value when another one is stored, here or elsewhere, without mounting
 * the field again: that would take the keyboard's focus from it. `stored` identifies the stored value.
 */
export function useEdited<T>(stored: string, value: T): readonly [T, (edited: T) => void] {
	const [edit, setEdit] = useState({ stored, value });
	const now = edit.stored === stored ? edit : { stored, value };
	if (now !== edit) setEdit(now);
	return [now.value, (edited) => setEdit({ stored, value: edited })];
}
