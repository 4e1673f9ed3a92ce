import { SquarePen } from "lucide-react";
import { fill } from "../../strings/interface.ts";
import { menuWords } from "../../strings/threads/menu-words.ts";
import { Icon } from "../components/icon.tsx";
import { AppRefusal } from "../connection/app-refusal.ts";
import { go } from "../state/route.ts";
import { attempt } from "../state/thread-actions.ts";

interface EditorButtonProps {
	/** The file's name as shown. */
	readonly name: string;
	/** Asks the app to open the file. */
	open(): Promise<unknown>;
}

/** Opens a file in the user's editor. If no editor is set, opens the settings page where one is chosen. */
export function EditorButton({ name, open }: EditorButtonProps) {
	const label = fill(menuWords.openInEditor, { name });
	const press = async () => {
		await open().catch((error: unknown) => {
			if (error instanceof AppRefusal && error.code === "EDITOR_NOT_SET") go({ page: "settings", part: "general" });
			throw error;
		});
	};
	return (
		<button type="button" className="ib" aria-label={label} title={label} onClick={() => void attempt(press)}>
			<Icon of={SquarePen} small />
		</button>
	);
}
