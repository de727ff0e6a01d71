// The advice where a file or folder is closed to the user of a command. It ends the message, as its hint.

/** Of what Prepress made. */
export const AS_OWNER =
  'Run the command as the user that runs Prepress, such as with "sudo -u prepress", or give that user the file with "chown".';

/** Of what belongs to another program, such as Ghost, which still needs it. */
export const LET_READ =
  'Let this user read it and enter the folders above it, such as with "setfacl", or run the command as the user that owns it.';
