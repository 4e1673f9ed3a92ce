import { FileCheck, Paperclip } from "lucide-react";
import type { QueuedMessage } from "../../api/ui-api.ts";
import { count } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { visibleName } from "../text/visible-text.ts";

/** The attachments and the required files of a queued message. */
export function QueuedNotes({ message: { attachments, require = [] } }: { readonly message: QueuedMessage }) {
	const globs = require.map((demand) => visibleName(typeof demand === "string" ? demand : demand.glob)).join(", ");
	return (
		<>
			{attachments.length > 0 && (
				<span className="muted small num nowrap" title={attachments.map(({ name }) => visibleName(name)).join(", ")}>
					<Icon of={Paperclip} small /> {count(attachments.length, "file")}
				</span>
			)}
			{globs !== "" && (
				<span className="muted small" title={globs}>
					<Icon of={FileCheck} small />
					<span className="vh">{globs}</span>
				</span>
			)}
		</>
	);
}
