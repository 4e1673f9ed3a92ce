import { Search, X } from "lucide-react";
import { type KeyboardEvent, useRef } from "react";
import { words } from "../../strings/interface.ts";
import { Icon } from "../components/icon.tsx";
import { useStore } from "../connection/store.ts";
import { preferences } from "../state/preferences.ts";

interface SearchFieldProps {
	readonly text: string;
	setText(text: string): void;
	/** Enter opens the first match, even if the search is still running. */
	openFirst(): void;
}

/** The longest text that the app accepts. */
const MAX_CHARACTERS = 200;

/** The search field for threads. */
export function SearchField({ text, setText, openFirst }: SearchFieldProps) {
	const { singleKeys } = useStore(preferences);
	const field = useRef<HTMLInputElement>(null);
	const onKeyDown = (event: KeyboardEvent) => {
		if (event.nativeEvent.isComposing) return;
		if (event.key === "Escape" && text !== "") setText("");
		else if (event.key === "Enter" && text.trim() !== "") openFirst();
		else if (event.key === "ArrowDown") document.querySelector<HTMLElement>(".groups [data-thread]")?.focus();
		else return;
		event.preventDefault();
	};
	return (
		<div className="search">
			<Icon of={Search} small />
			<input
				ref={field}
				id="search"
				type="search"
				enterKeyHint="go"
				maxLength={MAX_CHARACTERS}
				placeholder={words.sidebar.search}
				aria-label={words.sidebar.search}
				value={text}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={onKeyDown}
			/>
			{text === "" ? (
				singleKeys && <kbd className="cap hide-n">/</kbd>
			) : (
				<button
					type="button"
					className="ib clear"
					aria-label={words.sidebar.clear}
					onClick={() => {
						setText("");
						field.current?.focus();
					}}
				>
					<Icon of={X} small />
				</button>
			)}
		</div>
	);
}
