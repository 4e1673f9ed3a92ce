import { useState } from "react";

/**
 * A stored value with the user's unsaved edits. If another value is stored, here or elsewhere, the edits are dropped. The field is not
 * remounted, because it would lose focus. `stored` identifies the stored value.
 */
export function useEdited<T>(stored: string, value: T): readonly [T, (edited: T) => void] {
	const [edit, setEdit] = useState({ stored, value });
	const now = edit.stored === stored ? edit : { stored, value };
	if (now !== edit) setEdit(now);
	return [now.value, (edited) => setEdit({ stored, value: edited })];
}
