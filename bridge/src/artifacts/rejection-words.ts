import type { RejectionReason } from "@xworkmate/contracts";

/** Why a file was rejected, worded to follow "was rejected:" in a message. */
export const rejectionWords: Readonly<Record<RejectionReason, string>> = {
	symlink: "it is a symbolic link",
	hard_link: "it is a hard link",
	special_file: "it is not a regular file",
	mount: "it is a mount point",
	unsafe_name: "its name is unsafe",
	reserved_name: "its name is reserved for XWorkmate",
	name_collision: "its name clashes with another file",
	placeholder: "it is a placeholder or a system file, such as .gitkeep or .DS_Store",
	empty_required: "it is required, but empty",
	unattributed: "it might not be from this run",
	changed_while_reading: "it changed while it was being read, or can't be read",
	too_large: "it is too large",
	too_many: "there are too many files",
	write_refused: "it couldn't be written",
};
