import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import { useEffect, useState } from "react";
import { filesLine, goneFilesLine, mayHaveFiles } from "../../text/files/attached-files.ts";
import { callApp } from "../connection/call-app.ts";
import { visibleName } from "../text/visible-text.ts";

/** A line that names the files that go or went with a message; undefined if there are none, or until they are known. */
export function useFilesLine(occurrence: Occurrence, action: DeliveryAction): string | undefined {
	const [line, setLine] = useState<string>();
	const { occurrenceId } = occurrence;
	const { actionId } = action;
	const isAsked = mayHaveFiles(occurrence, action);
	useEffect(() => {
		setLine(undefined);
		if (!isAsked) return;
		let isOld = false;
		const show = (said: string | undefined) => {
			if (!isOld) setLine(said);
		};
		callApp("previewMessage", { occurrenceId, actionId }).then(
			({ parts }) => show(filesLine(parts, visibleName)),
			(error: unknown) => show(goneFilesLine(error)),
		);
		return () => {
			isOld = true;
		};
	}, [occurrenceId, actionId, isAsked]);
	return line;
}
