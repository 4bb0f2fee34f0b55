# shellcheck shell=bash disable=SC2034,SC2154,SC2004 # of the parts that stay in DietPi
# A flash benchmark for dietpi/func/dietpi-benchmark. The parts go to the places that their comments name.

# Header, below the other usages:
#	# FP_BENCHFILE=/location /boot/dietpi/func/dietpi-benchmark 5	= Benchmark the flash module of $FP_BENCHFILE, 4K random

# Global, below BENCH_CUSTOMFS_READ:
	# There is no public site yet: this line is the only place of its address.
	FLASHDEX_SITE='https://flashdex.example'
	BENCH_FLASH_RANDWRITE='Not tested'
	BENCH_FLASH_RANDREAD='Not tested'

# Save_Results, below BENCH_CUSTOMFS_READ:
# BENCH_FLASH_RANDWRITE='$BENCH_FLASH_RANDWRITE'
# BENCH_FLASH_RANDREAD='$BENCH_FLASH_RANDREAD'

# Functions, below Filesystem_Benchmark:
	Flash_Benchmark(){

		if (( $G_INTERACTIVE ))
		then
			G_WHIP_YESNO "$G_PROGRAM_NAME will now measure the flash module that $FP_BENCHFILE is on with Flashdex:
 - It writes a file of 64 MiB, reads it and removes it.
 - It takes one minute at most.
 - Nothing is uploaded to Flashdex.\n\nDo you want to start?" || { G_DIETPI-NOTIFY 2 'Benchmark aborted'; return 0; }
		fi

		# The script fetches the client for this architecture, checks its checksum and signature, and removes it afterwards.
		G_EXEC curl -sSfL "$FLASHDEX_SITE/run.sh" -o flashdex.sh

		# Results of the quick profile are not ranked, hence there is nothing to upload.
		G_DIETPI-NOTIFY 2 'Testing linear and 4K random speed, please wait...'
		if ! sh flashdex.sh --profile quick --no-upload "$FP_BENCHFILE" > flashdex.txt
		then
			G_DIETPI-NOTIFY 1 'The flash module was not measured, for the reason above. Choose another location and try again.'
			return 1
		fi

		# rand-write  2,345 IOPS  2,310 to 2,380  ...
		BENCH_FLASH_RANDWRITE=$(mawk '$1=="rand-write"{gsub(",","",$2);print $2;exit}' flashdex.txt)
		BENCH_FLASH_RANDREAD=$(mawk '$1=="rand-read"{gsub(",","",$2);print $2;exit}' flashdex.txt)
		G_DIETPI-NOTIFY 0 "4K random: Write = $BENCH_FLASH_RANDWRITE IOPS | Read = $BENCH_FLASH_RANDREAD IOPS"

		(( $SHOW_RESULTS )) || return 0
		G_WHIP_VIEWFILE flashdex.txt

	}

# Main Loop, below $INPUT == 4:
#		elif (( $INPUT == 5 ))
#		then
#			Flash_Benchmark
#		fi
