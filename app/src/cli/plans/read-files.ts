import type { DeliveryAction, Occurrence } from "@xworkmate/contracts";
import type { AppApi } from "../../api/app-api.ts";
import { filesLine, goneFilesLine, mayHaveFiles } from "../../text/files/attached-files.ts";
import { oneLine } from "../../text/printable.ts";

/**
 * For each message of an occurrence to which files are attached, a line that names them. One message at a time, because the bridge builds
 * each message to preview it.
 */
export async function readFiles(
	api: Pick<AppApi, "previewMessage">,
	occurrence: Occurrence,
): Promise<ReadonlyMap<DeliveryAction["actionId"], string>> {
	const { occurrenceId } = occurrence;
	const lines = new Map<DeliveryAction["actionId"], string>();
	for (const action of occurrence.delivery.filter((one) => mayHaveFiles(occurrence, one))) {
		const { actionId } = action;
		const line = await api.previewMessage({ occurrenceId, actionId }).then(
			({ parts }) => filesLine(parts, (name) => oneLine(name, 200)),
			(error: unknown) => goneFilesLine(error),
		);
		if (line !== undefined) lines.set(actionId, line);
	}
	return lines;
}
